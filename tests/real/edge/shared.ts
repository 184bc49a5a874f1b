/**
 * A Worker for tests, without an object for each account: tokens that live as long as one request, and leases that its
 * requests share through a store. What outlives the request is text alone: no promise, no timer, no signal.
 *
 * @module
 */

import { createClock, createDigest, createEdgeRuntime, createHttp } from "../../../adapters/http/mod.ts";
import {
  createEnterpriseLegs,
  EnterpriseTokens,
  MemoryLeaseStore,
  openSharedLeases,
  ProgramGrantSource,
} from "../../../adapters/http/tokens/mod.ts";
import { grantKey } from "../../../core/enterprise/mod.ts";
import { configurationOf, ownerOf, type TokensEnv } from "../../../examples/worker/tokens.ts";

const USE = { thread: "one", server: "notes" };
/** Stands for a store that several machines reach. */
const store = new MemoryLeaseStore({ clock: createClock() });
/** Stands for a secret binding. */
const KEY = "MDEyMzQ1Njc4OWFiY2RlZjAxMjM0NTY3ODlhYmNkZWY=";

export default {
  async fetch(
    request: Request,
    env: TokensEnv,
    context: { waitUntil(work: Promise<unknown>): void },
  ): Promise<Response> {
    const tokens = await openTokens(request.headers.get("authorization")?.slice("Bearer ".length) ?? "", env);
    try {
      const { url } = configurationOf(env).server(USE.server);
      const body = { jsonrpc: "2.0", id: 1, method: "tools/call", params: { name: "whoami", arguments: {} } };
      return await tokens.authenticatedFetch(USE)(url, {
        method: "POST",
        headers: { "content-type": "application/json", accept: "application/json, text/event-stream" },
        body: JSON.stringify(body),
      });
    } finally {
      context.waitUntil(tokens.idle()); // a renewal, and what is to be shared
    }
  },
};

async function openTokens(idToken: string, env: TokensEnv): Promise<EnterpriseTokens> {
  const { configuration, provider: { issuer, client: { clientId } } } = configurationOf(env);
  const [clock, digest, runtime] = [createClock(), createDigest(), createEdgeRuntime()];
  const owner = ownerOf(idToken);
  // one sign-in, one generation: whoever presents the same ID token shares
  const hash = await digest.sha256(new TextEncoder().encode(idToken));
  const generation = [...hash.slice(0, 16)].map((byte) => byte.toString(16).padStart(2, "0")).join("");
  const grants = new ProgramGrantSource({
    identity: {
      tokens: () => Promise.resolve({ refreshToken: null, idToken, idTokenExpiresAt: clock.now() + 300 }),
      rotated: () => Promise.resolve(),
    },
    key: await grantKey({ owner, issuer, clientId }, digest),
    subject: { issuer, clientId, ...owner, subject: owner.user },
    newGeneration: () => generation,
  });
  const tokens = new EnterpriseTokens({
    legs: createEnterpriseLegs({
      http: createHttp({ runtime }),
      clock,
      readSecret: (reference) =>
        Promise.resolve(String(reference.kind === "environment" && env[reference.name])),
    }),
    clock,
    digest,
    runtime,
    ownerFrom: "host",
    grants: () => grants,
    sharedLeases: await openSharedLeases({ store, keys: [KEY], clock }),
  });
  await tokens.loadConfiguration(configuration);
  await tokens.setAccount(owner);
  return tokens;
}
