/**
 * For authors of MCP servers whose tools start programs: the authority of each call, for either line of the MCP
 * SDK and for none. Nothing here needs an SDK, and nothing is read at import.
 *
 * Advertise ({@linkcode advertiseSandboxState}), wrap the tool ({@linkcode withAuthority}), run the command with the
 * runner of `./deno` or `./node`, and give back its result ({@linkcode resultOf}).
 *
 * @module
 */

export {
  acceptsSandboxState,
  advertiseSandboxState,
  type SandboxStateCapability,
} from "../../core/sandbox/capability.ts";
export type { CallTransport, CapturedAuthority } from "../../core/sandbox/authority.ts";
export { captureAuthority, type CaptureOptions } from "../../core/sandbox/capture.ts";
export type { SandboxResult } from "../sandbox/result.ts";
export { authorityOf, type AuthorityOptions, type SourceTexts } from "./server/authority_of.ts";
export type { Implementation } from "./server/call_context.ts";
export type { CallTextsOptions } from "./server/call_texts.ts";
export { ExactInput, type ExactInputOptions, type ReadInput } from "./server/exact_input.ts";
export { type ObjectSchema, SANDBOX_RESULT_SCHEMA } from "./server/result_schema.ts";
export { threadOf } from "./server/thread_of.ts";
export {
  refusalOf,
  resultOf,
  type ToolRefusal,
  type ToolResult,
  type ToolText,
} from "./server/tool_result.ts";
export { type AuthorizedTool, withAuthority } from "./server/with_authority.ts";
