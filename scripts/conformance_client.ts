/**
 * The client under test of the MCP conformance suite: a host that connects to the URL in the last argument and calls
 * the tools that are offered, with enterprise-managed authorization in the scenarios about authorization.
 *
 * The suite sets `MCP_CONFORMANCE_SCENARIO`, `MCP_CONFORMANCE_PROTOCOL_VERSION` and `MCP_CONFORMANCE_CONTEXT` (JSON:
 * the identity provider, an ID token and both clients; or `toolCalls`). The revision is not looked at: the host has
 * to find it out. A scenario without an identity provider gets a placeholder: its documents are fetched and judged
 * like any others.
 *
 * @module
 */

import { createMemoryCatalogStore } from "../adapters/catalog/memory_store.ts";
import type { ConfigurationSource } from "../adapters/configuration/source.ts";
import { createHost } from "../adapters/deno/host.ts";
import { createSendingRuntime } from "../adapters/deno/sending.ts";
import { Discovery } from "../adapters/http/discovery/discovery.ts";
import { MemoryGrantSource } from "../adapters/http/grants/memory_grant_source.ts";
import { createClock } from "../adapters/http/transport/clock.ts";
import { createHttp } from "../adapters/http/transport/http.ts";
import type { InputHandlers } from "../adapters/mcp/host/client/input.ts";
import type { Thread } from "../adapters/mcp/host/thread/thread.ts";
import type { ConfigurationLayer } from "../core/configuration/layers/layer.ts";
import { readConfiguration } from "../core/enterprise/config/configuration.ts";
import { readCompactToken } from "../core/enterprise/exchange/jwt.ts";
import { newGeneration } from "../core/enterprise/grant/generation.ts";
import type { GrantRecord } from "../core/enterprise/grant/record.ts";
import { type JsonObject, ownProperty } from "../core/json/value.ts";
import type { HttpPort } from "../core/ports/http.ts";

/** The server's name in the configuration. */
const SERVER = "server";

/** An identity provider that never answers: what is judged are the other documents. */
const PLACEHOLDER = "http://localhost:9/placeholder";

/** What a scenario hands over. */
type Context = Readonly<Record<string, unknown>>;

/** What servers may ask: there are no folders, no person and no model. */
const NOBODY: InputHandlers = {
  roots: () => Promise.resolve({ roots: [] }),
  elicit: () => Promise.resolve({ action: "decline" }),
  sample: () =>
    Promise.resolve({ role: "assistant", model: "none", content: { type: "text", text: "Nobody is here" } }),
};

async function main(): Promise<void> {
  const url = Deno.args.at(-1) ?? "";
  const authorized = (Deno.env.get("MCP_CONFORMANCE_SCENARIO") ?? "").startsWith("auth/");
  const context = JSON.parse(Deno.env.get("MCP_CONFORMANCE_CONTEXT") ?? "{}") as Context;
  const http = createHttp({ fetch: fetchBut(PLACEHOLDER), runtime: createSendingRuntime() });
  const values = authorized
    ? await enterpriseValues(url, { context, http })
    : { mcp_servers: { [SERVER]: { url } } };
  const grants = new MemoryGrantSource();
  if (authorized) {
    const deadline = AbortSignal.timeout(5_000);
    await grants.locked((locked) => locked.write("0".repeat(64), recordOf(context)), deadline);
  }
  const host = await createHost({
    configuration: configurationOf(values),
    clientInfo: { name: "codex-mcp-conformance", version: "1.0.0" },
    onInput: NOBODY,
    catalog: createMemoryCatalogStore(),
    secrets: { grants: () => grants, secret: () => Promise.resolve(null) },
    http,
  });
  try {
    await callTools(host.openThread(), context);
  } finally {
    await host.close();
  }
}

/** A configuration that is these values. */
function configurationOf(values: JsonObject): ConfigurationSource {
  const layers = [layerOf(values)];
  return {
    load: () => Promise.resolve({ kind: "loaded", layers, texts: new Map(), remarks: [], workspace: null }),
  };
}

function layerOf(values: JsonObject): ConfigurationLayer {
  return { kind: "user", source: "context", values, codexFile: true };
}

/** The context as a configuration. A secret needs the issuer that it is meant for: an operator looks it up. */
async function enterpriseValues(
  url: string,
  { context, http }: { readonly context: Context; readonly http: HttpPort },
): Promise<JsonObject> {
  const text = (name: string, other: string): string => String(context[name] ?? other);
  const valuesWith = (oauth: JsonObject): JsonObject => ({
    features: { use_xaa: true },
    mcp_enterprise_managed_auth: {
      idp: { issuer: text("idp_issuer", PLACEHOLDER), client_id: text("idp_client_id", "placeholder") },
    },
    mcp_servers: { [SERVER]: { url, auth: "ema_auth", oauth } },
  });
  const client = { client_id: text("client_id", "placeholder") };
  const open = valuesWith(client);
  if (context["client_secret"] === undefined) return open;
  return valuesWith({
    ...client,
    client_secret: text("client_secret", ""),
    authorization_server_issuer: await publishedIssuer(open, http),
  });
}

async function publishedIssuer(values: JsonObject, http: HttpPort): Promise<string> {
  const { servers: [server], faults } = readConfiguration([layerOf(values)]);
  if (server === undefined) throw new Error(`Cannot use the configuration: ${faults[0]?.code}`);
  const discovery = new Discovery({ http, clock: createClock() });
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
async function callTools(thread: Thread, context: Context): Promise<void> {
  const tools = await thread.tools(SERVER);
  const wanted = context["toolCalls"];
  if (Array.isArray(wanted)) {
    for (const { name, arguments: args } of wanted) await thread.callTool(SERVER, name, args);
    return;
  }
  for (const { name, inputSchema } of tools) {
    await thread.callTool(SERVER, name, argumentsFor(inputSchema.properties ?? {}));
  }
}

function argumentsFor(properties: Readonly<Record<string, unknown>>): JsonObject {
  const samples: JsonObject = { number: 5, integer: 3, boolean: true, string: "text" };
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
