/**
 * The client under test of the MCP conformance suite: connects to the URL in the last argument and calls the tools
 * that are offered, with enterprise-managed authorization in the scenarios about authorization.
 *
 * The suite sets `MCP_CONFORMANCE_SCENARIO`, `MCP_CONFORMANCE_PROTOCOL_VERSION` (absent: 2025-11-25) and
 * `MCP_CONFORMANCE_CONTEXT` (JSON: the identity provider, an ID token and both clients; or `toolCalls`). A scenario
 * without an identity provider gets a placeholder: its documents are fetched and judged like any others.
 *
 * @module
 */

import * as sdk from "@modelcontextprotocol/client";
import { createSendingRuntime } from "../adapters/deno/sending.ts";
import { createClock } from "../adapters/http/clock.ts";
import { createDigest } from "../adapters/http/digest.ts";
import { Discovery } from "../adapters/http/discovery.ts";
import { createEnterpriseLegs } from "../adapters/http/enterprise_legs.ts";
import { EnterpriseTokens } from "../adapters/http/enterprise_tokens.ts";
import { createHttp } from "../adapters/http/http.ts";
import { MemoryGrantSource } from "../adapters/http/memory_grant_source.ts";
import { connectEnterprise } from "../adapters/mcp/enterprise_connection.ts";
import { type EnterpriseConfiguration, readConfiguration } from "../core/enterprise/config/configuration.ts";
import type { ConfigurationLayer } from "../core/enterprise/config/layer.ts";
import type { EnterpriseServer } from "../core/enterprise/config/server.ts";
import { inlineSecret } from "../core/enterprise/config/secret.ts";
import { newGeneration } from "../core/enterprise/grant/generation.ts";
import type { GrantRecord } from "../core/enterprise/grant/record.ts";
import { readCompactToken } from "../core/enterprise/jwt.ts";
import { ownProperty } from "../core/json/value.ts";

const CLIENT_INFO = { name: "codex-mcp-conformance", version: "1.0.0" };

/** An identity provider that never answers: what is judged are the other documents. */
const PLACEHOLDER = "http://localhost:9/placeholder";

/** What a scenario hands over. */
type Context = Readonly<Record<string, unknown>>;

async function main(): Promise<void> {
  const url = Deno.args.at(-1) ?? "";
  const scenario = Deno.env.get("MCP_CONFORMANCE_SCENARIO") ?? "";
  const context = JSON.parse(Deno.env.get("MCP_CONFORMANCE_CONTEXT") ?? "{}") as Context;
  const client = scenario.startsWith("auth/")
    ? await connectAuthorized(url, context)
    : await connectPlain(url, Deno.env.get("MCP_CONFORMANCE_PROTOCOL_VERSION") ?? "2025-11-25");
  await callTools(client, context);
  await client.close();
}

async function connectPlain(url: string, revision: string): Promise<sdk.Client> {
  const client = new sdk.Client(CLIENT_INFO, {
    capabilities: { roots: {}, sampling: {}, elicitation: {} },
    versionNegotiation: { mode: revision >= "2026-07-28" ? "auto" : "legacy" },
  });
  client.setRequestHandler("roots/list", () => ({ roots: [] }));
  await client.connect(new sdk.StreamableHTTPClientTransport(new URL(url)));
  return client;
}

async function connectAuthorized(url: string, context: Context): Promise<sdk.Client> {
  const clock = createClock();
  const runtime = createSendingRuntime();
  const http = createHttp({ fetch: fetchBut(PLACEHOLDER), runtime });
  const discovery = new Discovery({ http, clock });
  const { configuration, layer } = await configure(url, { context, discovery });
  const [server] = configuration.servers;
  if (server === undefined) throw new Error(`Cannot use the configuration: ${configuration.faults[0]?.code}`);
  const source = new MemoryGrantSource();
  await source.locked(
    (grants) => grants.write("0".repeat(64), recordOf(context)),
    AbortSignal.timeout(5_000),
  );
  const tokens = new EnterpriseTokens({
    legs: createEnterpriseLegs({
      http,
      clock,
      discovery,
      readSecret: (reference) => Promise.resolve(inlineSecret([layer], reference) ?? ""),
    }),
    clock,
    digest: createDigest(),
    runtime,
    grants: () => source,
  });
  await tokens.loadConfiguration(configuration);
  const thread = "conformance";
  return (await connectEnterprise({ sdk, tokens, thread, server, clientInfo: CLIENT_INFO })).client;
}

interface Configured {
  readonly configuration: EnterpriseConfiguration;
  readonly layer: ConfigurationLayer;
}

/** Reads the context as a configuration. A secret needs the issuer that it is meant for: an operator looks it up. */
async function configure(
  url: string,
  { context, discovery }: { readonly context: Context; readonly discovery: Discovery },
): Promise<Configured> {
  const text = (name: string, other: string): string => String(context[name] ?? other);
  const read = (oauth: Context): Configured => {
    const values = {
      features: { use_xaa: true },
      mcp_enterprise_managed_auth: {
        idp: { issuer: text("idp_issuer", PLACEHOLDER), client_id: text("idp_client_id", "placeholder") },
      },
      mcp_servers: { server: { url, auth: "ema_auth", oauth } },
    };
    const layer: ConfigurationLayer = { kind: "user", source: "context", values, codexFile: true };
    return { configuration: readConfiguration([layer]), layer };
  };
  const client = { client_id: text("client_id", "placeholder") };
  const open = read(client);
  const [server] = open.configuration.servers;
  if (context["client_secret"] === undefined || server === undefined) return open;
  return read({
    ...client,
    client_secret: context["client_secret"],
    authorization_server_issuer: await publishedIssuer(server, discovery),
  });
}

async function publishedIssuer(server: EnterpriseServer, discovery: Discovery): Promise<string> {
  const { value } = await discovery.resource(server, { signal: AbortSignal.timeout(20_000) });
  const [issuer] = value.authorizationServers ?? [];
  if (issuer === undefined) throw new Error("Cannot find the authorization server: none is published");
  return issuer;
}

function recordOf(context: Context): GrantRecord {
  const idToken = String(context["idp_id_token"] ?? "placeholder");
  const token = readCompactToken(idToken);
  const claims = token.kind === "signed" ? token.claims : {};
  const subject = String(ownProperty(claims, "sub") ?? "placeholder");
  const now = Math.floor(Date.now() / 1000);
  return {
    issuer: String(context["idp_issuer"] ?? PLACEHOLDER),
    clientId: String(context["idp_client_id"] ?? "placeholder"),
    user: subject,
    workspace: null,
    subject,
    generation: newGeneration(crypto.getRandomValues(new Uint8Array(16))),
    revision: 0,
    refreshToken: null,
    idToken,
    idTokenExpiresAt: Number(ownProperty(claims, "exp") ?? now + 3600),
    signedInAt: now,
    others: {},
  };
}

/** The runtime's `fetch`, except that whatever begins with `silent` never answers. */
function fetchBut(silent: string): typeof fetch {
  const origin = new URL(silent).origin;
  return (input, init) => {
    const url = input instanceof Request ? input.url : String(input);
    if (new URL(url).origin !== origin) return fetch(input, init);
    return new Promise((_resolve, reject) => {
      init?.signal?.addEventListener("abort", () => reject(new DOMException("Aborted", "AbortError")));
    });
  };
}

/** Calls what the scenario names, else every tool that is listed, with a value for each required argument. */
async function callTools(client: sdk.Client, context: Context): Promise<void> {
  const { tools } = await client.listTools();
  const wanted = context["toolCalls"];
  if (Array.isArray(wanted)) {
    for (const { name, arguments: args } of wanted) await client.callTool({ name, arguments: args });
    return;
  }
  for (const { name, inputSchema } of tools) {
    await client.callTool({ name, arguments: argumentsFor(inputSchema.properties ?? {}) });
  }
}

function argumentsFor(properties: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const samples: Readonly<Record<string, unknown>> = { number: 5, integer: 3, boolean: true, string: "text" };
  return Object.fromEntries(
    Object.entries(properties).map((
      [name, schema],
    ) => [name, samples[String(ownProperty(schema, "type"))] ?? null]),
  );
}

if (import.meta.main) {
  try {
    await main();
  } catch (error) {
    console.error(error instanceof Error ? `${error.name}: ${error.message}` : "Cannot go on");
    Deno.exit(1);
  }
}
