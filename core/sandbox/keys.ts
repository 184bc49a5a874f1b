/**
 * The names of the contract, as they stand on the wire.
 *
 * A server opts in under one of the two state names (`capability.ts`); a host then sends the state under both
 * and, to a local stdio server, the launcher (`call_meta.ts`); the server reads them from the call's `_meta`
 * (`authority.ts`).
 *
 * @module
 */

/** Experimental capability of a server, and `_meta` key of the state. */
export const SANDBOX_STATE_KEY = "codex/sandbox-state";

/** The deprecated name of both; a host sends it with a value identical to the state's. */
export const SANDBOX_STATE_META_KEY = "codex/sandbox-state-meta";

/** `_meta` key of the launcher: `{ codexExecutable: "<absolute path>" }`. */
export const SANDBOX_LAUNCHER_KEY = "codex/sandbox-launcher";

/** The three keys that belong to the host. */
export const HOST_KEYS: readonly string[] = [
  SANDBOX_STATE_KEY,
  SANDBOX_STATE_META_KEY,
  SANDBOX_LAUNCHER_KEY,
];
