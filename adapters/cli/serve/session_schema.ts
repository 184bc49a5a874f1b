/**
 * The JSON schema of what the session tools answer. `adapters/sandbox/session_report.ts` owns the shape,
 * `adapters/mcp/server/result_schema.ts` the schema of what it shares with a command that is run to its end.
 *
 * @module
 */

import { freezeJson } from "../../../core/json/freeze.ts";
import { type ObjectSchema, SANDBOX_RESULT_SCHEMA } from "../../mcp/server/result_schema.ts";
import type { SessionReport } from "../../sandbox/session_report.ts";

type Schema = ObjectSchema["properties"][string];

/** A field that means the same as for a command that is run to its end. */
function shared(name: "sandboxed" | "setupFailed" | "modifiers" | "signal"): Schema {
  return SANDBOX_RESULT_SCHEMA.properties[name] ?? {};
}

const PROPERTIES: { readonly [Field in keyof SessionReport]: Schema } = {
  sessionId: { type: "string", description: "The session." },
  state: { enum: ["running", "ended"], description: "Whether its process runs." },
  exitCode: {
    type: ["integer", "null"],
    description: "Exit status; null while it runs and when a signal ended it.",
  },
  signal: shared("signal"),
  endedBy: {
    type: ["string", "null"],
    description:
      "Why it ended: exit (by itself), request, idle-limit, lifetime-limit, authority-change or shutdown.",
  },
  stdout: { type: "string", description: "Standard output since the last call." },
  stderr: { type: "string", description: "Standard error since the last call." },
  truncated: { type: "boolean", description: "Whether output ahead of this was dropped, the oldest first." },
  droppedBytes: { type: "integer", description: "How many bytes were dropped." },
  restarted: {
    type: "boolean",
    description: "Whether the process was ended and its command started anew, because the policy changed.",
  },
  inputSent: { type: "boolean", description: "Whether the input of this call was sent." },
  sandboxed: shared("sandboxed"),
  setupFailed: shared("setupFailed"),
  modifiers: shared("modifiers"),
};

/** Schema of the structured content of every session tool. Frozen. */
export const SESSION_REPORT_SCHEMA: ObjectSchema = freezeJson({
  type: "object",
  properties: { ...PROPERTIES },
  required: Object.keys(PROPERTIES),
});
