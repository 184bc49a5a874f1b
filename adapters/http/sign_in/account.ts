/**
 * Whose account a sign-in is: the owner under whom the grant is kept, and the name that a person knows it by. Both
 * come from the claims of an ID token that was verified before, or the owner comes from the host.
 *
 * Which claims an ID token must have is decided in `core/enterprise/identity.ts`.
 * OpenID Connect Core 1.0, 2 and 5.1.
 *
 * @module
 */

import { readCompactToken } from "../../../core/enterprise/exchange/jwt.ts";
import type { AccountOwner } from "../../../core/enterprise/grant/key.ts";
import { ownProperty } from "../../../core/json/value.ts";

/** Claims that name the workspace of an account, the first that is there counts. */
const WORKSPACE_CLAIMS: readonly string[] = ["workspace_id", "org_id"];

/** Claims that a person recognises, the first that is there counts. */
const NAME_CLAIMS: readonly string[] = ["email", "preferred_username", "name", "sub"];

/** The owner that `claims` name: the subject and, if any, its workspace. */
export function ownerOf(claims: unknown): AccountOwner {
  return { user: firstText(claims, ["sub"]) ?? "", workspace: firstText(claims, WORKSPACE_CLAIMS) };
}

/** The name of the account for people; `null` when the claims have none. It is the provider's text: quote it. */
export function nameOf(claims: unknown): string | null {
  return firstText(claims, NAME_CLAIMS);
}

/** The same of an ID token that was verified when it was stored; `null` when it cannot be read. */
export function nameInToken(idToken: string): string | null {
  const token = readCompactToken(idToken);
  return token.kind === "signed" ? nameOf(token.claims) : null;
}

function firstText(claims: unknown, names: readonly string[]): string | null {
  const values = names.map((name) => ownProperty(claims, name));
  return values.find((value): value is string => typeof value === "string" && value !== "") ?? null;
}
