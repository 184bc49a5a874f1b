/**
 * The vocabulary of other hosts: `{ "mcpServers": { name: { command, args, env, cwd, url, headers, … } } }`, and
 * `servers` or `mcp.servers` in its place. It is mapped to the tables of `config.toml`, so that everything after this
 * reads one vocabulary; the names of the file come back in messages (`renamed.ts`).
 *
 * What the placeholders in such files mean is decided in `placeholder.ts`.
 *
 * @module
 */

import { SERVER_ROOT } from "../enterprise/config/server_layers.ts";
import { isJsonObject, ownProperty } from "../json/value.ts";
import { type ForeignFlaw, translateField } from "./foreign_field.ts";
import type { PlaceholderValues, ServerLayer } from "./layer.ts";
import { type ConfigurationFault, faultOf } from "./layers/fault.ts";
import { nameOf, valueAt } from "./layers/layer.ts";

/** A layer in the vocabulary of `config.toml`. */
export interface Translation {
  /** The layer with the values that are read. */
  readonly layer: ServerLayer;
  /** What could not be mapped, by server, with the paths of `layer`. */
  readonly faults: ReadonlyMap<string, readonly ConfigurationFault[]>;
  /** The path in the file for one of `layer`; `null`: the paths are the same. */
  readonly rename: ((path: readonly string[]) => readonly string[]) | null;
}

const ROOTS: readonly (readonly string[])[] = [["mcpServers"], ["servers"], ["mcp", "servers"]];

/** Whether `layer` is JSON in the vocabulary of another host. */
export function isForeignLayer(layer: Pick<ServerLayer, "format" | "values">): boolean {
  return rootOf(layer) !== undefined;
}

/** Maps `layer` when it is JSON in the vocabulary of another host; else it stays as it is. */
export function translateLayer(layer: ServerLayer, values: PlaceholderValues): Translation {
  const root = rootOf(layer);
  if (root === undefined || !isJsonObject(layer.values)) {
    return { layer, faults: new Map(), rename: null };
  }
  const servers = valueAt(layer.values, root);
  const faults = new Map<string, readonly ConfigurationFault[]>();
  const spelling = new Map<string, ReadonlyMap<string, string>>();
  const translated = !isJsonObject(servers) ? servers : Object.fromEntries(
    Object.entries(servers).map(([name, server]) => {
      if (!isJsonObject(server)) return [name, server];
      const read = translateServer(server, values);
      spelling.set(name, read.spelling);
      faults.set(
        name,
        read.flaws.map(([code, path, state]) =>
          faultOf(code, { path: [SERVER_ROOT, name, ...path], layer: nameOf(layer), state })
        ),
      );
      return [name, read.fields];
    }),
  );
  const { [root[0] ?? ""]: _, ...others } = layer.values;
  return {
    layer: { ...layer, values: { ...others, [SERVER_ROOT]: translated } },
    faults,
    rename: ([first, name, field, ...rest]) => {
      if (first !== SERVER_ROOT) return [first, name, field, ...rest].filter((step) => step !== undefined);
      const spelt = field === undefined ? undefined : spelling.get(name ?? "")?.get(field) ?? field;
      return [...root, name, spelt, ...rest].filter((step) => step !== undefined);
    },
  };
}

/** Where such a file has its servers. */
function rootOf({ format, values }: Pick<ServerLayer, "format" | "values">): readonly string[] | undefined {
  if (format !== "json" || ownProperty(values, SERVER_ROOT) !== undefined) return undefined;
  return ROOTS.find((path) => valueAt(values, path) !== undefined);
}

interface TranslatedServer {
  readonly fields: Readonly<Record<string, unknown>>;
  /** The file's name for each field that has another one here. */
  readonly spelling: ReadonlyMap<string, string>;
  readonly flaws: readonly ForeignFlaw[];
}

function translateServer(
  server: { readonly [key: string]: unknown },
  values: PlaceholderValues,
): TranslatedServer {
  const fields = new Map<string, unknown>();
  const spelling = new Map<string, string>();
  const flaws: ForeignFlaw[] = [];
  for (const [name, value] of Object.entries(server)) {
    const read = translateField(name, { value, values });
    if (read === null) continue;
    if (read.name !== name) spelling.set(read.name, name);
    flaws.push(...read.flaws);
    if (read.flaws.length > 0) continue;
    if (read.name === "enabled" && fields.get("enabled") === false) continue; // off under either name is off
    fields.set(read.name, read.value);
  }
  return { fields: Object.fromEntries(fields), spelling, flaws };
}
