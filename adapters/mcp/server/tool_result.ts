/**
 * What a tool gives back: the result of a command, or a refusal.
 *
 * A host shows a model the structured content alone where there is any, so a refusal has none: its text has to
 * reach the model. `adapters/sandbox/result.ts` owns what a result holds, `result_schema.ts` its JSON schema.
 *
 * @module
 */

import { CodexMcpError } from "../../../core/errors.ts";
import type { SandboxResult } from "../../sandbox/result.ts";

/** One text of a tool result. A type alias, which the SDKs' open result types accept where an interface fails. */
export type ToolText = { type: "text"; text: string };

/** The tool result of a call that was refused. */
export type ToolRefusal = {
  /** Nothing was done, or not what was asked for. */
  isError: true;
  /** One text, `<CODE>: <message>`. */
  content: ToolText[];
};

/** The tool result of a command that ran. */
export type ToolResult = {
  /** Whether the command did not exit with 0. */
  isError: boolean;
  /** One text, the structured content as JSON. */
  content: ToolText[];
  /** The result, as {@linkcode SANDBOX_RESULT_SCHEMA} describes it. */
  structuredContent: { [Field in keyof SandboxResult]: SandboxResult[Field] };
};

/**
 * Builds the tool result for an error of this package, whatever its class; `null` for any other error, which
 * is not a refusal and should be thrown on.
 *
 * @example
 * ```ts
 * import { authorityOf, refusalOf } from "@codex-mcp/runtime/mcp";
 *
 * try {
 *   authorityOf({ params: { name: "run" } });
 * } catch (error) {
 *   console.log(refusalOf(error)?.content[0]?.text.split(":")[0]); // STATE_MISSING
 * }
 * ```
 */
export function refusalOf(error: unknown): ToolRefusal | null {
  if (!(error instanceof CodexMcpError)) return null;
  return { isError: true, content: [{ type: "text", text: `${error.code}: ${error.message}` }] };
}

/** Builds the tool result for a command's result. An error, when it did not exit with 0 or ran out of time. */
export function resultOf(result: SandboxResult): ToolResult {
  return {
    isError: result.exitCode !== 0 || result.timedOut,
    content: [{ type: "text", text: JSON.stringify(result) }],
    structuredContent: { ...result },
  };
}
