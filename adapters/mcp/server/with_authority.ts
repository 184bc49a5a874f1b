/**
 * Tool callbacks for the MCP SDKs: the authority of the call as an argument, refusals as tool results.
 *
 * This file decides which argument of a callback is the context. `authority_of.ts` captures, `tool_result.ts`
 * says what a refusal is.
 *
 * @module
 */

import { SandboxError } from "../../../core/errors.ts";
import type { CapturedAuthority } from "../../../core/sandbox/authority.ts";
import { authorityOf, type AuthorityOptions } from "./authority_of.ts";
import { isSdkContext } from "./call_context.ts";
import { refusalOf, type ToolRefusal } from "./tool_result.ts";

/**
 * A tool callback for either line of the MCP SDK, registered with an input schema (arguments first, context last) or
 * without one (the context alone).
 */
export type AuthorizedTool<Args, Context, Result> = (
  ...given: [args: Args, context: Context] | [context: Context]
) => Promise<Result | ToolRefusal>;

/**
 * Wraps a tool handler so that it gets the authority of each call. `args` is what the tool's input schema made of
 * the arguments, `undefined` for a tool without one; `context` is the SDK's own. The second line of the SDK tells
 * TypeScript the types of both; for the first write them down.
 *
 * Errors of this package, thrown by the capture or by the handler, become refusals ({@linkcode refusalOf}); any other
 * error passes through. The last argument of the callback is the context; one that comes alone and is no SDK
 * context is taken for arguments, and the call is refused.
 *
 * @example
 * ```ts
 * import { resultOf, withAuthority } from "@codex-mcp/runtime/mcp";
 *
 * const callback = withAuthority((_args: { command: string[] }, authority) => {
 *   return { content: [{ type: "text", text: authority.stateText }] };
 * }, { transport: "stdio" });
 * const refusal = await callback({ command: ["make"] }, { requestId: 1 });
 * console.log("isError" in refusal && refusal.content[0]?.text.startsWith("STATE_MISSING: ")); // true
 * ```
 */
export function withAuthority<Args, Context, Result>(
  handler: (args: Args, authority: CapturedAuthority, context: Context) => Result | Promise<Result>,
  options: AuthorityOptions = {},
): AuthorizedTool<Args, Context, Result> {
  return async (...given: readonly unknown[]) => {
    const context = given.at(-1);
    const args = given.length > 1 ? given[0] : undefined;
    try {
      if (given.length < 2 && !isSdkContext(context)) throw missingContext();
      return await handler(args as Args, authorityOf(context, options), context as Context);
    } catch (error) {
      const refusal = refusalOf(error);
      if (refusal === null) throw error;
      return refusal;
    }
  };
}

function missingContext(): SandboxError {
  return new SandboxError(
    "STATE_MISSING",
    "Cannot run anything for this call: its context did not reach the tool; nothing was run. " +
      "Hand the tool the context of the call, which its arguments can never replace.",
  );
}
