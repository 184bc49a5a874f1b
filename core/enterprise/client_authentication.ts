/**
 * Which one method of client authentication a request uses: the configured one, else the first that both sides know.
 * A list that is absent from the metadata says nothing; one that lacks the method refuses it.
 *
 * How each method is written into a request is the adapter's (`client_secret_basic` form-encodes both parts).
 * OpenID Connect Core 1.0, 9; RFC 6749, 2.3; RFC 8414, 2.
 *
 * @module
 */

import { accept, refuse, type Verdict } from "./verdict.ts";

/** A method of client authentication. */
export type ClientMethod = "none" | "client_secret_basic" | "client_secret_post" | "private_key_jwt";

/** Every method that we know, in the order in which they are named to people. */
export const CLIENT_METHODS: readonly ClientMethod[] = [
  "none",
  "client_secret_basic",
  "client_secret_post",
  "private_key_jwt",
];

/** What the choice depends on. */
export interface ClientMethodFacts {
  /** The configured method; `null`: none is configured. */
  readonly configured: ClientMethod | null;
  /** Which credential the client has. */
  readonly credential: "none" | "secret" | "private-key";
  /** `token_endpoint_auth_methods_supported`; `null` when it is absent, which says nothing. */
  readonly supported: readonly string[] | null;
}

const SECTION = "RFC 8414, 2";

/**
 * Chooses the method. A public client uses `none`, whether or not an absent list would name it; a client with a
 * secret `client_secret_basic`, else `client_secret_post`; a client with a key `private_key_jwt`.
 */
export function chooseClientMethod(facts: ClientMethodFacts): Verdict<ClientMethod, "method-unsupported"> {
  const candidates = facts.configured === null ? methodsOf(facts.credential) : [facts.configured];
  const { supported } = facts;
  const method = candidates.find((candidate) => supported === null || supported.includes(candidate));
  if (method !== undefined) return accept(method);
  return refuse(
    ["method-unsupported", SECTION],
    `Cannot authenticate the client with ${candidates.join(" or ")}: ` +
      "token_endpoint_auth_methods_supported lists other methods only. " +
      "Register the client for a method that is listed and configure it.",
  );
}

function methodsOf(credential: ClientMethodFacts["credential"]): readonly ClientMethod[] {
  if (credential === "secret") return ["client_secret_basic", "client_secret_post"];
  return credential === "private-key" ? ["private_key_jwt"] : ["none"];
}
