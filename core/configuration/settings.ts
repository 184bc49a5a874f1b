/**
 * The settings that every server has, whatever its transport, and which fields are known at all.
 *
 * Names, defaults and accepted values are those of the Codex CLI 0.171.0, as it was seen to behave: a start-up may take
 * 30 seconds and a call 300, and `startup_timeout_sec` counts before `startup_timeout_ms`. `protocol` is ours.
 *
 * @module
 */

import { ENTERPRISE_FIELDS, SERVER_ROOT } from "../enterprise/config/server_layers.ts";
import type { JsonValue } from "../json/value.ts";
import type { ProtocolChoice, ServerSettings } from "./entry.ts";
import { booleanField, choiceField, listField, textField, timeField } from "./field.ts";
import { warningOf } from "./layers/fault.ts";
import { nameOf, namesAt } from "./layers/layer.ts";
import type { MergedServer } from "./merged_server.ts";
import { plainJson } from "./plain_json.ts";

/** Milliseconds that a start-up may take when nothing is configured. */
export const DEFAULT_STARTUP_TIMEOUT_MS = 30_000;

/** Milliseconds that a call may take when nothing is configured. */
export const DEFAULT_TOOL_TIMEOUT_MS = 300_000;

/** The execution environment of a server that names none. */
export const DEFAULT_ENVIRONMENT = "local";

/** The fields that only a server with a program has. */
export const STDIO_FIELDS: readonly string[] = ["command", "args", "env", "env_vars", "cwd"];

/** The fields that only a server with a URL has. */
export const HTTP_FIELDS: readonly string[] = [
  "url",
  "bearer_token",
  "bearer_token_env_var",
  "http_headers",
  "env_http_headers",
  "http_headers_helper",
  "auth",
  "oauth",
  "oauth_resource",
];

/** The keys of a server's table, whatever its transport and its authentication. */
export const SERVER_FIELDS: readonly string[] = [
  ...STDIO_FIELDS,
  ...HTTP_FIELDS,
  "enabled",
  "environment_id",
  "protocol",
  "enabled_tools",
  "disabled_tools",
  "startup_timeout_sec",
  "startup_timeout_ms",
  "tool_timeout_sec",
  // of Codex, and of no meaning to a host that asks nobody for approval
  "name",
  "required",
  "startup_readiness",
  "supports_parallel_tool_calls",
  "default_tools_approval_mode",
  "tools",
  "omit_tools_from",
  "scopes",
  ...ENTERPRISE_FIELDS.flatMap(([field = ""]) => field),
];

const PROTOCOLS: readonly ProtocolChoice[] = ["auto", "legacy", "2026-07-28"];

/** Reads the settings. A wrong one is among the findings, and its default is in the result. */
export function readSettings(server: MergedServer): ServerSettings {
  const seconds = timeField(server, "startup_timeout_sec", { unit: "seconds" });
  const milliseconds = timeField(server, "startup_timeout_ms", { unit: "milliseconds" });
  const enabledTools = listField(server, "enabled_tools");
  return {
    name: server.name,
    enabled: booleanField(server, "enabled", true),
    environment: textField(server, "environment_id") ?? DEFAULT_ENVIRONMENT,
    protocol: choiceField(server, "protocol", { choices: PROTOCOLS }) ?? "auto",
    enabledTools: enabledTools === null ? null : [...new Set(enabledTools)],
    disabledTools: [...new Set(listField(server, "disabled_tools") ?? [])],
    startupTimeoutMs: seconds ?? milliseconds ?? DEFAULT_STARTUP_TIMEOUT_MS,
    toolTimeoutMs: timeField(server, "tool_timeout_sec", { unit: "seconds" }) ?? DEFAULT_TOOL_TIMEOUT_MS,
    layer: nameOf(server.layers[0]),
    unknown: readUnknown(server),
  };
}

/** The fields that nobody knows, each with a warning for every layer that has it. */
function readUnknown({ name, layers, fields, findings }: MergedServer): Readonly<Record<string, JsonValue>> {
  for (const layer of layers) {
    for (
      const field of namesAt(layer.values, [SERVER_ROOT, name]).filter((one) => !SERVER_FIELDS.includes(one))
    ) {
      findings.warnings.push(warningOf("FIELD_UNKNOWN", {
        path: [SERVER_ROOT, name, field],
        layer: nameOf(layer),
        text: (place) => `The field ${place} is not known here and changes nothing.`,
      }));
    }
  }
  const unknown = Object.entries(fields).filter(([field]) => !SERVER_FIELDS.includes(field));
  return Object.fromEntries(unknown.map(([field, value]) => [field, plainJson(value)]));
}
