// Whether a token is an ID token that the identity provider issued to this client: who is let in.
import { readIdentity } from "@codex-mcp/runtime/enterprise";
import { createRemoteJWKSet, errors, jwtVerify } from "jose";
import { configurationOf, type TokensEnv } from "./tokens.ts";

/** The bindings. */
export interface IdTokenEnv extends TokensEnv {
  readonly JWKS_URI: string; // where the identity provider publishes its keys
}

const NOT_THERE = ["ERR_JOSE_GENERIC", "ERR_JWKS_TIMEOUT"]; // the keys cannot be had now
let keys: ReturnType<typeof createRemoteJWKSet> | undefined;

/** `null`: it is one. Else the code of why nobody is let in with it. OpenID Connect Core 1.0, 3.1.3.7. */
export async function flawOf(
  idToken: string,
  env: IdTokenEnv,
): Promise<"SIGN_IN_REQUIRED" | "TEMPORARILY_UNAVAILABLE" | null> {
  const { issuer, client: { clientId } } = configurationOf(env).provider;
  keys ??= createRemoteJWKSet(new URL(env.JWKS_URI));
  try {
    const options = { issuer, audience: clientId, requiredClaims: ["iat", "exp"] };
    const { payload, protectedHeader: { typ = "JWT" } } = await jwtVerify(idToken, keys, options);
    // subject, and the authorized party where there are several audiences
    const { accepted } = readIdentity(payload, { issuer, clientId, now: Date.now() / 1000 });
    // access tokens, logout tokens and ID-JAGs are signed with the same keys, and can have the same audience
    const isIdToken = /^jwt$/i.test(typ) && payload["events"] === undefined;
    const isWorkspaceText = typeof (payload["workspace_id"] ?? "") === "string";
    return accepted && isIdToken && isWorkspaceText ? null : "SIGN_IN_REQUIRED";
  } catch (error) {
    const isRefused = error instanceof errors.JOSEError && !NOT_THERE.includes(error.code);
    return isRefused ? "SIGN_IN_REQUIRED" : "TEMPORARILY_UNAVAILABLE";
  }
}
