/**
 * The fields of a server that is started as a program.
 *
 * What passes into its environment besides these is decided where it is started. Names and types are those of the
 * Codex CLI 0.171.0; what it accepts and no system can start (an empty program, a variable without a name) is refused.
 *
 * @module
 */

import type { ServerSettings, StdioEntry } from "./entry.ts";
import { isVariableName, listField, tableField, textField } from "./field.ts";
import { fieldOf, hasField, isTable, type MergedServer, refuse } from "./merged_server.ts";
import { DEFAULT_ENVIRONMENT, HTTP_FIELDS } from "./settings.ts";

/** Reads the entry; `null` when a fault, which is then among the findings, makes it unusable. */
export function readStdioEntry(server: MergedServer, settings: ServerSettings): StdioEntry | null {
  const before = server.findings.faults.length;
  for (const field of HTTP_FIELDS.filter((one) => hasField(server, one))) {
    const state = field === "url"
      ? "there is a command too. Keep one of them."
      : "it belongs to a server with a url, and this one has a command.";
    refuse(server, ["TRANSPORT_CONFLICT", [field], state]);
  }
  const command = textField(server, "command");
  const entry = {
    args: listField(server, "args") ?? [],
    env: readEnv(server),
    envVars: readVariables(server, settings.environment),
    cwd: textField(server, "cwd"),
  };
  if (command === null || server.findings.faults.length > before) return null;
  return { ...settings, kind: "stdio", command, ...entry };
}

function readEnv(server: MergedServer): Readonly<Record<string, string>> {
  const env = tableField(server, "env") ?? {};
  // the name is not shown: who writes NAME=VALUE there has written a secret
  if (!Object.keys(env).every(isVariableName)) {
    refuse(server, ["VALUE_MALFORMED", ["env"], "a name is empty or holds = or a NUL."]);
  }
  return env;
}

/** `"NAME"`, `{ name = "NAME" }` or `{ name = "NAME", source = "local" }`; `"remote"` is another environment's own. */
function readVariables(server: MergedServer, environment: string): readonly string[] {
  const value = fieldOf(server, "env_vars");
  if (value === undefined) return [];
  if (!Array.isArray(value)) {
    refuse(server, ["FIELD_TYPE", ["env_vars"], "it must be a list of names."]);
    return [];
  }
  const names = value.flatMap((item, index) => {
    const path = ["env_vars", String(index)];
    const { name, source } = nameAndSource(item);
    if (name === null || source === null) {
      refuse(server, ["FIELD_TYPE", path, 'write "NAME" or { name = "NAME", source = "local" }.']);
    } else if (!isVariableName(name)) {
      refuse(server, ["VALUE_MALFORMED", path, "no variable can have this name."]);
    } else if (source === "local") {
      return [name];
    } else if (environment === DEFAULT_ENVIRONMENT) {
      refuse(server, [
        "VALUE_UNKNOWN",
        path,
        'source = "remote" needs an environment_id other than "local".',
      ]);
    }
    return [];
  });
  return [...new Set(names)];
}

interface NameAndSource {
  readonly name: string | null;
  readonly source: "local" | "remote" | null;
}

function nameAndSource(item: unknown): NameAndSource {
  if (typeof item === "string") return { name: item, source: "local" };
  if (!isTable(item)) return { name: null, source: null };
  const { name, source = "local", ...others } = item;
  const known = (source === "local" || source === "remote") && Object.keys(others).length === 0;
  return { name: typeof name === "string" ? name : null, source: known ? source : null };
}
