// A Worker that calls tools of an enterprise MCP server for whoever is signed in. README.md beside it says why so.
import { createDigest } from "@codex-mcp/runtime/http";
import type { EnterpriseTokens } from "@codex-mcp/runtime/http/tokens";
import { EnterpriseError, grantKey } from "@codex-mcp/runtime/enterprise";
import {
  Client,
  ProtocolError,
  ProtocolErrorCode,
  StreamableHTTPClientTransport,
} from "@modelcontextprotocol/client";
import { decodeJwt } from "jose";
import { flawOf, type IdTokenEnv } from "./id_token.ts";
import { readArguments, refused } from "./messages.ts";
import { configurationOf, openTokens, ownerOf } from "./tokens.ts";

interface Env extends IdTokenEnv {
  readonly ACCOUNTS: { idFromName(name: string): unknown; get(id: unknown): Account };
}

const SERVER = "notes"; // its name in CONFIGURATION

export default {
  /**
   * POST /tools/NAME, the arguments as JSON, the ID token as bearer: whoever sent it is led to their account's object.
   */
  async fetch(request: Request, env: Env): Promise<Response> {
    const idToken = /^Bearer (\S+)$/i.exec(request.headers.get("authorization") ?? "")?.[1] ?? "";
    const flaw = await flawOf(idToken, env);
    if (flaw !== null) return refused(flaw);
    const { issuer, client: { clientId } } = configurationOf(env).provider;
    const name = await grantKey({ owner: ownerOf(idToken), issuer, clientId }, createDigest());
    return await env.ACCOUNTS.get(env.ACCOUNTS.idFromName(name)).fetch(request); // the only way in
  },
};

interface SignIn {
  readonly issuedAt: number;
  readonly expiresAt: number;
  readonly tokens: Promise<EnterpriseTokens>;
  client: Promise<Client> | undefined;
}

/** The Durable Object of one account: what is got for the account stays in its memory, for all of its requests. */
export class Account {
  readonly #env: Env;
  #signIn: SignIn | undefined;

  constructor(_state: unknown, env: Env) {
    this.#env = env;
  }

  async fetch(request: Request): Promise<Response> {
    const name = /^\/tools\/([\w.-]+)$/.exec(new URL(request.url).pathname)?.[1];
    if (name === undefined || request.method !== "POST") return refused("NOT_FOUND");
    const args = await readArguments(request);
    if (typeof args === "string") return refused(args);
    const signIn = this.#signInOf(request.headers.get("authorization")!.slice("Bearer ".length));
    const client = signIn.client ??= connect(signIn.tokens, configurationOf(this.#env).server(SERVER).url);
    let connected: Client | undefined;
    try {
      connected = await client;
      return Response.json(await connected.callTool({ name, arguments: args }));
    } catch (error) {
      if (connected !== undefined && isToolRefused(error)) return refused("TOOL_REFUSED");
      if (signIn.client === client) signIn.client = undefined; // the next call connects anew
      const { code = "SERVER_FAILED", message = "no answer of the server" } = enterpriseErrorIn(error) ?? {};
      console.error(`${code}: ${message}`); // no token is in it
      return refused(code);
    }
  }

  /** The sign-in that lasts longest counts, of two the newer. What was got with the one before serves no new call. */
  #signInOf(idToken: string): SignIn {
    const { iat: issuedAt = 0, exp: expiresAt = 0 } = decodeJwt(idToken); // verified on the way in
    const held = this.#signIn;
    const isOutlived = held === undefined || expiresAt > held.expiresAt ||
      expiresAt === held.expiresAt && issuedAt > held.issuedAt;
    if (!isOutlived) return held;
    const tokens = openTokens(idToken, this.#env);
    return this.#signIn = { issuedAt, expiresAt, tokens, client: undefined };
  }
}

async function connect(opening: Promise<EnterpriseTokens>, url: string): Promise<Client> {
  const tokens = await opening;
  const use = { thread: "calls", server: SERVER };
  const client = new Client({ name: "worker", version: "1.0.0" }, { versionNegotiation: { mode: "auto" } });
  await client.connect(
    new StreamableHTTPClientTransport(new URL(url), {
      authProvider: tokens.authProvider(use), // asked first, so that a refusal comes before a request
      fetch: tokens.authenticatedFetch(use), // puts the bearer on
      requestInit: { redirect: "manual" },
    }),
  );
  return client;
}

/** The server answered, and does not know the tool or does not take its arguments. */
function isToolRefused(error: unknown): boolean {
  return error instanceof ProtocolError && error.code === ProtocolErrorCode.InvalidParams;
}

/** The error of the runtime, which the SDK may have wrapped. It holds no token. */
function enterpriseErrorIn(error: unknown): EnterpriseError | undefined {
  if (error instanceof EnterpriseError) return error;
  return error instanceof Error ? enterpriseErrorIn(error.cause) : undefined;
}
