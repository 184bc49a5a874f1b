/**
 * The demonstration of enterprise-managed authorization: a sign-in without a browser, a tool call, the status, and what
 * becomes of it all when the host's account changes. Identity provider, authorization server and MCP server run here,
 * on loopback; the sign-in is kept in memory.
 *
 * @module
 */

import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { parse } from "smol-toml";
import { createSendingRuntime } from "../../adapters/deno/sending.ts";
import { Discovery } from "../../adapters/http/discovery/discovery.ts";
import { createEnterpriseLegs } from "../../adapters/http/exchange/enterprise_legs.ts";
import { MemoryGrantSource } from "../../adapters/http/grants/memory_grant_source.ts";
import { recordOf } from "../../adapters/http/grants/store_sign_in.ts";
import { beginSignIn } from "../../adapters/http/sign_in/authorization_code.ts";
import { EnterpriseTokens } from "../../adapters/http/tokens/enterprise_tokens.ts";
import { createClock } from "../../adapters/http/transport/clock.ts";
import { createDigest } from "../../adapters/http/transport/digest.ts";
import { createHttp } from "../../adapters/http/transport/http.ts";
import { readConfiguration } from "../../core/enterprise/config/configuration.ts";
import { inlineSecret } from "../../core/enterprise/config/secret.ts";
import { EnterpriseError } from "../../core/enterprise/error.ts";
import { guidance } from "../../core/enterprise/status/status_text.ts";
import { type EnterpriseBed, startEnterpriseBed } from "../../tests/fixtures/enterprise/mod.ts";

/** What is shown, and whether it came out as the rules say. */
interface Scene {
  readonly title: string;
  readonly said: string;
  readonly held: boolean;
}

const SERVER = "notes";
const USE = { thread: "demonstration", server: SERVER };

if (import.meta.main) Deno.exit(await demonstrate());

async function demonstrate(): Promise<number> {
  await using bed = await startEnterpriseBed({ profile: "okta-org" });
  console.log(`identity provider      ${bed.idp.issuer}`);
  console.log(`authorization server   ${bed.as.issuer}\nMCP server             ${bed.mcp.url}\n`);
  let held = true;
  for await (const scene of play(bed)) {
    held &&= scene.held;
    console.log(`${scene.held ? "as it must" : "NOT AS IT MUST"}: ${scene.title}\n    ${scene.said}\n`);
  }
  return held ? 0 : 1;
}

async function* play(bed: EnterpriseBed): AsyncGenerator<Scene> {
  const { tokens, signIn } = await startHost(bed);
  const alice = { user: "user-alice", workspace: "acme" };
  const globex = { user: "user-alice-globex", workspace: "globex" };
  await tokens.setAccount(alice);
  yield await refused("a tool is called before anyone signed in", { bed, tokens });
  yield { title: "alice signs in, without a browser", said: await signIn(), held: true };
  yield await called("a tool is called: two requests for a token, then the call", { bed, tokens });
  yield statusOf("the status", { tokens, expected: "ready" });
  await tokens.setAccount(globex);
  yield await refused("the host's account changes: the same thread is refused", { bed, tokens });
  yield statusOf("the status now", { tokens, expected: "signed-out" });
  await tokens.setAccount(alice);
  yield await refused("alice is back: her sign-in was kept, the thread stays void", { bed, tokens });
  const again = await tokens.reauthorizeThread(USE);
  yield {
    title: "a person authorizes the thread again",
    said: again ? "it may go on" : "refused",
    held: again,
  };
  yield await called("the tool is called", { bed, tokens });
}

interface Host {
  readonly tokens: EnterpriseTokens;
  /** Signs in as a person would, and says who it was. */
  readonly signIn: () => Promise<string>;
}

async function startHost(bed: EnterpriseBed): Promise<Host> {
  const values = parse(bed.configuration());
  const layer = { kind: "user", source: "config.toml", values, codexFile: true } as const;
  const configuration = readConfiguration([layer]);
  const [provider] = configuration.providers;
  if (provider === undefined) throw new Error("The configuration of the test bed names no identity provider");
  const runtime = createSendingRuntime();
  const parts = {
    http: createHttp({ runtime }),
    clock: createClock(),
    readSecret: (reference: Parameters<typeof inlineSecret>[1]) =>
      Promise.resolve(inlineSecret([layer], reference) ?? ""),
  };
  const source = new MemoryGrantSource();
  const tokens = new EnterpriseTokens({
    legs: createEnterpriseLegs(parts),
    clock: parts.clock,
    digest: createDigest(),
    runtime,
    grants: () => source,
    ownerFrom: "host",
  });
  await tokens.loadConfiguration(configuration);
  const signIn = async (): Promise<string> => {
    let name = "";
    await tokens.signIn(provider.name, async (signal) => {
      const metadata = (await new Discovery(parts).provider(provider, { signal })).value;
      const pending = await beginSignIn(
        { ...parts, provider, metadata, signal },
        "http://127.0.0.1/callback",
      );
      const signedIn = await pending.finish(await bed.browse(pending.url));
      name = signedIn.name;
      return recordOf(signedIn, { provider, now: parts.clock.now() });
    });
    return `signed in as ${name}`;
  };
  return { tokens, signIn };
}

interface Stage {
  readonly bed: EnterpriseBed;
  readonly tokens: EnterpriseTokens;
}

async function called(title: string, stage: Stage): Promise<Scene> {
  const before = stage.bed.wire.entries().length;
  const said = await callTool(stage);
  const sent = stage.bed.wire.entries().slice(before).map(({ endpoint }) => endpoint);
  return {
    title,
    said: `${said}\n    on the wire: ${sent.join(", ")}`,
    held: said.includes('"account":"alice"'),
  };
}

async function refused(title: string, stage: Stage): Promise<Scene> {
  try {
    return { title, said: await callTool(stage), held: false };
  } catch (error) {
    if (!(error instanceof EnterpriseError)) throw error;
    return { title, said: `${error.code}: ${error.message}`, held: true };
  }
}

function statusOf(
  title: string,
  { tokens, expected }: { readonly tokens: EnterpriseTokens; readonly expected: string },
): Scene {
  const status = tokens.status(SERVER);
  const said = guidance(status, { server: SERVER, provider: null });
  return { title, said: `${status.kind}: ${said}`, held: status.kind === expected };
}

async function callTool({ bed, tokens }: Stage): Promise<string> {
  await tokens.openThread(USE);
  await tokens.token(USE); // a refusal is told as it is, and not by the SDK
  const client = new Client({ name: "demonstration", version: "1.0.0" });
  const transport = new StreamableHTTPClientTransport(new URL(bed.mcp.url), {
    authProvider: tokens.authProvider(USE),
    fetch: tokens.authenticatedFetch(USE),
  });
  try {
    await client.connect(transport);
    const { content } = await client.callTool({ name: "whoami", arguments: {} });
    const [first] = content;
    return first?.type === "text" ? first.text.replace(/,"token":"[^"]*"/, "") : "no text";
  } finally {
    await client.close();
  }
}
