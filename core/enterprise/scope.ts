/**
 * Scopes as sets: reading, comparing, and which ones are asked for. Configured scopes come first; a challenge's
 * scopes drive one step-up, within what the configuration allows; the list that a server publishes is never asked
 * for. RFC 6749, 3.3; RFC 6750, 3.1; MCP EMA (stable), 7.2.1.
 *
 * How a scope in an answer is judged is decided in `exchange/id_jag.ts` and `exchange/redemption.ts`.
 *
 * @module
 */

/** Whether `text` is one scope: printable ASCII without space, quotation mark and backslash. */
export function isScope(text: string): boolean {
  return /^[\x21\x23-\x5b\x5d-\x7e]+$/.test(text);
}

/**
 * The scopes that `text` lists, each once, in its order; `null` when it is no such list. The empty text lists none.
 * Several spaces in a row, or around the list, are tolerated.
 */
export function parseScopes(text: unknown): readonly string[] | null {
  if (typeof text !== "string") return null;
  const scopes = text.split(" ").filter((scope) => scope !== "");
  return scopes.every(isScope) ? [...new Set(scopes)] : null;
}

/** `scopes` as a parameter; `undefined` when there is none, because an empty parameter is not sent. */
export function scopeText(scopes: readonly string[] | null): string | undefined {
  return scopes === null || scopes.length === 0 ? undefined : scopes.join(" ");
}

/** Whether every one of `scopes` is in `allowed`. */
export function isWithin(scopes: readonly string[], allowed: readonly string[]): boolean {
  return scopes.every((scope) => allowed.includes(scope));
}

/** Whether both hold the same scopes, in whatever order. */
export function isSameSet(a: readonly string[], b: readonly string[]): boolean {
  return isWithin(a, b) && isWithin(b, a);
}

/** What decides a step-up. */
export interface StepUpFacts {
  /** The scopes that the configuration asks for; `null`: none are configured. */
  readonly configured: readonly string[] | null;
  /** The scopes that the configuration allows at most; `null`: exactly what a challenge asks for. */
  readonly allowed: readonly string[] | null;
  /** The `scope` of the `insufficient_scope` challenge; absent when it names none. */
  readonly challenge: unknown;
  /** Whether this call has stepped up already. */
  readonly steppedUp: boolean;
}

/** The scopes to ask for, or why there is no step-up. */
export type StepUp =
  | { readonly scopes: readonly string[]; readonly refused?: never }
  | {
    readonly scopes?: never;
    /** Why there is none, for programs. */
    readonly refused: "only-once" | "challenge-without-scope" | "not-allowed";
  };

/**
 * Decides what a challenge for more scopes leads to: one more exchange with these scopes, or none. With a list of
 * allowed scopes, all that the challenge asks for must be in it, and the configured ones are kept beside them.
 */
export function stepUp({ configured, allowed, challenge, steppedUp }: StepUpFacts): StepUp {
  if (steppedUp) return { refused: "only-once" };
  const asked = parseScopes(challenge);
  if (asked === null || asked.length === 0) return { refused: "challenge-without-scope" };
  if (allowed === null) return { scopes: asked };
  if (!isWithin(asked, allowed)) return { refused: "not-allowed" };
  return { scopes: [...new Set([...configured ?? [], ...asked])] };
}
