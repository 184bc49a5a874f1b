/**
 * Opting in: what a server advertises to get the sandbox state, and how a host reads it.
 *
 * The capability stands in the `capabilities` of the `initialize` result (MCP 2025) or of the
 * `server/discover` result (MCP 2026-07-28), under `experimental`.
 *
 * @module
 */

import { isJsonObject, ownProperty } from "../json/value.ts";
import { SANDBOX_STATE_KEY, SANDBOX_STATE_META_KEY } from "./keys.ts";

/** The capabilities fragment of a server that wants the sandbox state. */
export interface SandboxStateCapability {
  /** MCP's place for capabilities outside the specification. */
  readonly experimental: {
    /** Present and empty: the server wants the state. */
    readonly "codex/sandbox-state": Readonly<Record<string, never>>;
  };
}

/**
 * The fragment to put into a server's `capabilities`: into the *options* of an SDK server, not into its
 * name-and-version argument, where it would be advertised to nobody.
 *
 * @example
 * ```ts
 * import { advertiseSandboxState } from "@codex-mcp/runtime";
 *
 * const options = { capabilities: { tools: {}, ...advertiseSandboxState() } };
 * console.log(JSON.stringify(options.capabilities));
 * // {"tools":{},"experimental":{"codex/sandbox-state":{}}}
 * ```
 */
export function advertiseSandboxState(): SandboxStateCapability {
  return { experimental: { [SANDBOX_STATE_KEY]: {} } };
}

/**
 * Tells whether a server with these capabilities opted in, under the current or the deprecated name. Anything
 * that is not a capabilities object has not.
 *
 * @example
 * ```ts
 * import { acceptsSandboxState, advertiseSandboxState } from "@codex-mcp/runtime";
 *
 * acceptsSandboxState(advertiseSandboxState()); // true
 * acceptsSandboxState({ tools: {} }); // false
 * ```
 */
export function acceptsSandboxState(capabilities: unknown): boolean {
  const experimental = ownProperty(capabilities, "experimental");
  return isJsonObject(ownProperty(experimental, SANDBOX_STATE_KEY)) ||
    isJsonObject(ownProperty(experimental, SANDBOX_STATE_META_KEY));
}
