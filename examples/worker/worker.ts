// A Worker that calls tools of an enterprise MCP server for whoever is signed in. README.md beside it says why so.
import { createDigest } from "@codex-mcp/runtime/http";
import type { EnterpriseTokens } from "@codex-mcp/runtime/http/tokens";
import { EnterpriseError, grantKey } from "@codex-mcp/runtime/enterprise";
import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { createRemoteJWKSet, decodeJwt, errors, jwtVerify } from "jose";
import { configurationOf, openTokens, ownerOf, type TokensEnv } from "./tokens.ts";

interface Env extends TokensEnv {
  readonly JWKS_URI: string; // where the identity provider publishes its keys
  readonly ACCOUNTS: { idFromName(name: string): unknown; get(id: unknown): Account };
}

const SERVER = "notes"; // its name in CONFIGURATION
const NOT_THERE = ["ERR_JOSE_GENERIC", "ERR_JWKS_TIMEOUT"]; // the keys cannot be had now
let keys: ReturnType<typeof createRemoteJWKSet> | undefined;

export default {
  /**
   * POST /tools/NAME, the arguments as JSON, the ID token as bearer: whoever sent it is led to their account's object.
   */
  async fetch(request: Request, env: Env): Promise<Response> {
    const { issuer, client: { clientId } } = configurationOf(env).provider;
    const idToken = /^Bearer (\S+)$/i.exec(request.headers.get("authorization") ?? "")?.[1] ?? "";
    keys ??= createRemoteJWKSet(new URL(env.JWKS_URI));
    try {
      const options = { issuer, audience: clientId, requiredClaims: ["sub", "iat", "exp"] };
      const { payload } = await jwtVerify(idToken, keys, options);
      if ((payload["azp"] ?? clientId) !== clientId) throw new errors.JWTInvalid("issued to another client");
    } catch (error) {
      if (!(error instanceof errors.JOSEError) || NOT_THERE.includes(error.code)) return refused(503);
      return refused(401, { code: "SIGN_IN_REQUIRED", message: "Cannot call a tool: nobody is signed in" });
    }
    const name = await grantKey({ owner: ownerOf(idToken), issuer, clientId }, createDigest());
    return await env.ACCOUNTS.get(env.ACCOUNTS.idFromName(name)).fetch(request); // the only way in
  },
};

interface SignIn {
  readonly issuedAt: number;
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
    if (name === undefined || request.method !== "POST") return refused(404);
    const args: unknown = await request.json().catch(() => null);
    if (typeof args !== "object" || args === null) return refused(400);
    const signIn = this.#signInOf(request.headers.get("authorization")!.slice("Bearer ".length));
    const client = signIn.client ??= connect(signIn.tokens, configurationOf(this.#env).server(SERVER).url);
    try {
      return Response.json(await (await client).callTool({ name, arguments: { ...args } }));
    } catch (error) {
      if (signIn.client === client) signIn.client = undefined; // the next call connects anew
      const { code, message } = enterpriseErrorIn(error) ?? {};
      const status = code === "SIGN_IN_REQUIRED" ? 401 : code === "TEMPORARILY_UNAVAILABLE" ? 503 : 502;
      return refused(status, { code, message });
    }
  }

  /** The newest sign-in counts: what was got with the one before serves no new call. */
  #signInOf(idToken: string): SignIn {
    const { iat: issuedAt = 0 } = decodeJwt(idToken); // verified on the way in
    if (this.#signIn === undefined || issuedAt > this.#signIn.issuedAt) {
      this.#signIn = { issuedAt, tokens: openTokens(idToken, this.#env), client: undefined };
    }
    return this.#signIn;
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

/** The error of the runtime, which the SDK may have wrapped. It holds no token. */
function enterpriseErrorIn(error: unknown): EnterpriseError | undefined {
  if (error instanceof EnterpriseError) return error;
  return error instanceof Error ? enterpriseErrorIn(error.cause) : undefined;
}

function refused(status: number, error: object = {}): Response {
  return Response.json({ error }, { status });
}
