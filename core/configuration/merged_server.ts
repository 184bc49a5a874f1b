/**
 * One server as several layers define it together: tables are merged field by field, the strongest layer last, and
 * everything else is replaced. For each field it is known which layer it comes from.
 *
 * Which layers count for a server is decided in `server_holders.ts`; what the fields mean in `settings.ts`,
 * `stdio_entry.ts` and `http_entry.ts`.
 *
 * @module
 */

import { SERVER_ROOT } from "../enterprise/config/server_layers.ts";
import type { Findings } from "../enterprise/config/table.ts";
import { isJsonObject } from "../json/value.ts";
import { type ConfigurationFaultCode, faultOf, warningOf } from "./layers/fault.ts";
import { type ConfigurationLayer, nameOf, valueAt } from "./layers/layer.ts";

/** Levels of tables below a server that are merged; deeper ones are replaced whole. */
const MERGED_DEPTH = 8;

/** A server as its layers define it together. */
export interface MergedServer {
  /** Its name. */
  readonly name: string;
  /** The layers that define it, the strongest first; at least one. */
  readonly layers: readonly [ConfigurationLayer, ...ConfigurationLayer[]];
  /** Its fields, merged. Own properties only. */
  readonly fields: Readonly<Record<string, unknown>>;
  /** Where its findings go. */
  readonly findings: Findings;
}

/** Whether `value` is a table; a date of TOML is none. */
export function isTable(value: unknown): value is { readonly [key: string]: unknown } {
  return isJsonObject(value) && !(value instanceof Date);
}

/** Merges what `layers`, the strongest first, say about the server `name`. Each of them has a table for it. */
export function mergeServer(
  layers: readonly [ConfigurationLayer, ...ConfigurationLayer[]],
  { name, findings }: { readonly name: string; readonly findings: Findings },
): MergedServer {
  const tables = layers.map((layer) => valueAt(layer.values, [SERVER_ROOT, name]));
  const fields = tables.reduceRight((weak, strong) => merge(weak, strong, MERGED_DEPTH), {});
  return { name, layers, fields: isTable(fields) ? fields : {}, findings };
}

/** The value at `path` below the server; `undefined` when there is none. */
export function fieldOf(server: MergedServer, ...path: readonly string[]): unknown {
  return valueAt(server.fields, path);
}

/** Whether the server has `field`. */
export function hasField(server: MergedServer, field: string): boolean {
  return fieldOf(server, field) !== undefined;
}

/** The layer that `path` comes from: the strongest that has it, else the strongest of all. */
export function layerOf({ name, layers }: MergedServer, path: readonly string[]): ConfigurationLayer {
  return layers.find(({ values }) => valueAt(values, [SERVER_ROOT, name, ...path]) !== undefined) ??
    layers[0];
}

/** Reports that the field at `path` breaks the rule `code`. */
export function refuse(
  server: MergedServer,
  [code, path, state]: readonly [code: ConfigurationFaultCode, path: readonly string[], state: string],
): void {
  server.findings.faults.push(faultOf(code, {
    path: [SERVER_ROOT, server.name, ...path],
    layer: nameOf(layerOf(server, path)),
    state,
  }));
}

/** Warns about `field`. */
export function warn(
  server: MergedServer,
  [code, field, text]: readonly [
    code: Parameters<typeof warningOf>[0],
    field: string,
    text: (place: string) => string,
  ],
): void {
  const path = [SERVER_ROOT, server.name, field];
  server.findings.warnings.push(warningOf(code, { path, layer: nameOf(layerOf(server, [field])), text }));
}

function merge(weak: unknown, strong: unknown, depth: number): unknown {
  if (strong === undefined) return weak;
  if (depth === 0 || !isTable(weak) || !isTable(strong)) return strong;
  const merged = new Map(Object.entries(weak));
  for (const [key, value] of Object.entries(strong)) {
    merged.set(key, merge(merged.get(key), value, depth - 1));
  }
  return Object.fromEntries(merged);
}
