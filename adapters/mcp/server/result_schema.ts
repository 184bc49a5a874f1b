/**
 * The JSON schema of a command's result, for a tool's `outputSchema`. `adapters/sandbox/result.ts` owns the shape.
 *
 * Draft 2020-12, the dialect that MCP takes for granted, so no `$schema` names it: validators of an older one
 * would refuse that, and understand the rest.
 *
 * @module
 */

import { freezeJson } from "../../../core/json/freeze.ts";
import type { SandboxResult } from "../../sandbox/result.ts";

/** A JSON schema of an object. A type alias with arrays that may be changed, as the SDKs' own types want it. */
export type ObjectSchema = {
  /** It is an object. */
  type: "object";
  /** Schemas of its members, by name. */
  properties: {
    [name: string]: { [keyword: string]: boolean | string | (boolean | string)[] | { type: string } };
  };
  /** The members that are always there. */
  required: string[];
};

const PROPERTIES: { readonly [Field in keyof SandboxResult]: ObjectSchema["properties"][string] } = {
  exitCode: { type: ["integer", "null"], description: "Exit status; null when a signal ended the command." },
  signal: { type: ["string", "null"], description: "Name of the signal that ended the command, or null." },
  stdout: { type: "string", description: "Standard output, up to a limit." },
  stderr: { type: "string", description: "Standard error, up to a limit." },
  truncated: { type: "boolean", description: "Whether output is missing beyond the limit." },
  timedOut: { type: "boolean", description: "Whether a time limit ended the command." },
  sandboxed: {
    enum: [true, false, "policy-disabled", "unknown"],
    description: "Whether the command ran in a sandbox.",
  },
  setupFailed: {
    enum: [false, "unknown"],
    description:
      "false when the launcher reports success, or none was needed: a failed set-up looks like a failing command.",
  },
  modifiers: {
    type: "array",
    items: { type: "string" },
    description: "What the operator of the server added to the sandbox's arguments.",
  },
};

/** Schema of what {@linkcode resultOf} puts into `structuredContent`. Frozen. */
export const SANDBOX_RESULT_SCHEMA: ObjectSchema = freezeJson({
  type: "object",
  properties: { ...PROPERTIES },
  required: Object.keys(PROPERTIES),
});
