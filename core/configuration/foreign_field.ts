/**
 * One field of a server in the vocabulary of another host: its name and value in `config.toml`.
 *
 * Where such servers stand is decided in `foreign.ts`.
 *
 * @module
 */

import { isJsonObject } from "../json/value.ts";
import type { PlaceholderValues } from "./layer.ts";
import type { ConfigurationFaultCode } from "./layers/fault.ts";
import { expandPlaceholders } from "./placeholder.ts";

/** What is wrong with a field that cannot be mapped: the rule, the path below the server, and what to do. */
export type ForeignFlaw = readonly [code: ConfigurationFaultCode, path: readonly string[], state: string];

/** A field as `config.toml` has it. */
export interface TranslatedField {
  /** Its name there. */
  readonly name: string;
  /** Its value there. */
  readonly value: unknown;
  /** What could not be mapped; the value counts for nothing then. */
  readonly flaws: readonly ForeignFlaw[];
}

const NAMES: Readonly<Record<string, string>> = {
  headers: "http_headers",
  httpUrl: "url",
  serverUrl: "url",
  disabled: "enabled",
  includeTools: "enabled_tools",
  excludeTools: "disabled_tools",
};

/** Fields about approval and about how a server is shown, which mean nothing to a host that asks nobody. */
const SILENT: readonly string[] = [
  "alwaysAllow",
  "autoApprove",
  "trust",
  "description",
  "displayName",
  "icon",
  "gallery",
];

const TRANSPORTS: readonly unknown[] = [
  "stdio",
  "local",
  "http",
  "remote",
  "streamable-http",
  "streamableHttp",
  "streamable_http",
];

/** Fields whose text can be a shell's or a program's own, so that `${NAME}` in them may be no placeholder. */
const SHARED: readonly string[] = ["command", "args", "cwd"];

/** Maps the field `name`; `null` when it means nothing here. */
export function translateField(
  name: string,
  { value, values }: { readonly value: unknown; readonly values: PlaceholderValues },
): TranslatedField | null {
  const native = Object.hasOwn(NAMES, name) ? NAMES[name] ?? name : name;
  if (SILENT.includes(name)) return null;
  switch (native) {
    case "type":
      return TRANSPORTS.includes(value)
        ? null
        : { name, value, flaws: [["TRANSPORT_UNKNOWN", [name], typeState(value)]] };
    case "enabled":
      return { name: native, value: name === "disabled" ? inverted(value) : value, flaws: [] };
    case "env":
    case "http_headers":
      return expandTable(native, { value: native === "env" ? withTexts(value) : value, values });
    case "url":
    case "command":
    case "cwd":
      return expandOne(native, { value, values });
    case "args":
      return expandList(native, { value, values });
    default:
      return { name: native, value, flaws: [] };
  }
}

function typeState(value: unknown): string {
  return value === "sse"
    ? 'the transport HTTP+SSE of 2024 is not spoken here. Use its server\'s streamable HTTP, with type "http".'
    : 'use "stdio" or "http".';
}

/** What is no truth value stays, and is refused where it is read. */
function inverted(value: unknown): unknown {
  return typeof value === "boolean" ? !value : value;
}

/** Numbers and truth values as texts; `null` takes a variable out. */
function withTexts(value: unknown): unknown {
  if (!isJsonObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value).filter(([, item]) => item !== null)
      .map((
        [name, item],
      ) => [name, typeof item === "number" || typeof item === "boolean" ? String(item) : item]),
  );
}

interface ForeignValue {
  readonly value: unknown;
  readonly values: PlaceholderValues;
}

function expandOne(name: string, { value, values }: ForeignValue): TranslatedField {
  const flaws: ForeignFlaw[] = [];
  return { name, value: expand(value, { path: [name], values, flaws }), flaws };
}

function expandList(name: string, { value, values }: ForeignValue): TranslatedField {
  const flaws: ForeignFlaw[] = [];
  if (!Array.isArray(value)) return { name, value, flaws };
  const items = value.map((item: unknown, index) =>
    expand(item, { path: [name, String(index)], values, flaws })
  );
  return { name, value: items, flaws };
}

function expandTable(name: string, { value, values }: ForeignValue): TranslatedField {
  const flaws: ForeignFlaw[] = [];
  if (!isJsonObject(value)) return { name, value, flaws };
  const items = Object.entries(value).map((
    [key, item],
  ) => [key, expand(item, { path: [name, key], values, flaws })]);
  return { name, value: Object.fromEntries(items), flaws };
}

function expand(
  value: unknown,
  { path, values, flaws }: {
    readonly path: readonly string[];
    readonly values: PlaceholderValues;
    readonly flaws: ForeignFlaw[];
  },
): unknown {
  if (typeof value !== "string") return value;
  const { text, flaw } = expandPlaceholders(value, { ...values, shared: SHARED.includes(path[0] ?? "") });
  if (flaw !== undefined) flaws.push([flaw[0], path, flaw[1]]);
  return text ?? value;
}
