/**
 * A Worker for tests that signs people in: `/begin` gives the URL to sign in at, `/finish` takes the callback, and what
 * came of it is imported again, as a script would hand it over.
 *
 * @module
 */

import {
  createClock,
  createEdgeRuntime,
  createHttp,
  Discovery,
  type SecretReader,
} from "../../../adapters/http/mod.ts";
import {
  beginSignIn,
  importIdToken,
  importRefreshToken,
  type PendingSignIn,
  type SignInContext,
} from "../../../adapters/http/sign_in/mod.ts";
import { configurationOf, type TokensEnv } from "../../../examples/worker/tokens.ts";

interface Env extends TokensEnv {
  readonly ACCOUNTS: { idFromName(name: string): unknown; get(id: unknown): Account };
}

export default {
  async fetch(request: Request, env: Env): Promise<Response> {
    return await env.ACCOUNTS.get(env.ACCOUNTS.idFromName("one")).fetch(request);
  },
};

/** The object that keeps a sign-in until its callback comes. */
export class Account {
  readonly #env: Env;
  #pending: PendingSignIn | undefined;

  constructor(_state: unknown, env: Env) {
    this.#env = env;
  }

  async fetch(request: Request): Promise<Response> {
    const { pathname } = new URL(request.url);
    const text = await request.text();
    const context = await contextOf(this.#env);
    if (pathname === "/begin") {
      this.#pending = await beginSignIn(context, text);
      return new Response(this.#pending.url);
    }
    const signedIn = await this.#pending!.finish(new URL(text));
    const imported = await importIdToken(context, signedIn.idToken);
    const renewed = await importRefreshToken(context, signedIn.refreshToken ?? "");
    const [head, claims] = signedIn.idToken.split(".");
    const forged = await importIdToken(context, `${head}.${claims}.AAAA`).then(
      () => "none",
      ({ code }) => code,
    );
    const isRotated = renewed.refreshToken !== signedIn.refreshToken;
    return Response.json({
      owners: [signedIn, imported, renewed].map(({ owner }) => owner),
      forged,
      isRotated,
    });
  }
}

async function contextOf(env: Env): Promise<SignInContext> {
  const { provider } = configurationOf(env);
  const [clock, http] = [createClock(), createHttp({ runtime: createEdgeRuntime() })];
  const { signal } = new AbortController();
  const { value: metadata } = await new Discovery({ http, clock }).provider(provider, { signal });
  const readSecret: SecretReader = (reference) =>
    Promise.resolve(String(reference.kind === "environment" && env[reference.name]));
  return { provider, metadata, http, clock, readSecret, signal };
}
