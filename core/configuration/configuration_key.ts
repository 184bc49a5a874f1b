/**
 * Texts that are equal exactly when two entries mean the same: for "is it as before?" after a reload, and for the key
 * of a tool catalog.
 *
 * They hold the secrets of the entry: compare them in memory, or give a digest of them away.
 *
 * @module
 */

import type { EnterpriseServer } from "../enterprise/config/server.ts";
import { isJsonObject, type JsonValue } from "../json/value.ts";
import { writeJson } from "../json/write.ts";
import type { ServerEntry } from "./entry.ts";

/**
 * Canonical text of everything that matters of `entry`; its layer and its unknown fields do not. The order of members
 * does not matter, that of arguments does. Variables that are only named are in it by their names.
 */
export function configurationKey(entry: ServerEntry): string {
  const { layer: _layer, unknown: _unknown, ...rest } = entry;
  return writeJson(
    canonical(rest.kind === "enterprise" ? { ...rest, server: withoutLayer(rest.server) } : rest),
  );
}

/** The same for what a connection depends on: not the lists of tools, the times, or whether it is switched on. */
export function connectionKey(entry: ServerEntry): string {
  const of = { enabled: true, enabledTools: null, disabledTools: [], startupTimeoutMs: 0, toolTimeoutMs: 0 };
  return configurationKey(
    entry.kind === "enterprise"
      ? { ...entry, ...of, server: { ...entry.server, enabled: true } }
      : { ...entry, ...of },
  );
}

function withoutLayer({ layer: _, ...server }: EnterpriseServer): Omit<EnterpriseServer, "layer"> {
  return server;
}

/** An object as the list of its members, by name. */
function canonical(value: unknown): JsonValue {
  if (Array.isArray(value)) return value.map(canonical);
  if (!isJsonObject(value)) return value === undefined ? null : value as JsonValue;
  return Object.entries(value)
    .toSorted(([a], [b]) => a < b ? -1 : a > b ? 1 : 0)
    .map(([key, item]) => [key, canonical(item)]);
}
