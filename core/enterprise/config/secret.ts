/**
 * Secrets of the configuration, as references: an item of the keyring, an environment variable, standard input. A
 * secret that stands in Codex's own file, in a layer of host policy, is accepted as a reference to its place; its
 * text is in no value that this package makes and is read at the moment it is needed.
 *
 * @module
 */

import { type ConfigurationLayer, isHostPolicy, valueAt } from "../../configuration/layers/layer.ts";
import { isJsonObject } from "../../json/value.ts";

/** Where a secret is. */
export type SecretReference =
  /** Under this name in the keyring. */
  | { readonly kind: "keyring"; readonly name: string }
  /** In this environment variable. */
  | { readonly kind: "environment"; readonly name: string }
  /** On standard input, once. */
  | { readonly kind: "stdin" }
  /** In the layer `source`, at `path`. */
  | { readonly kind: "inline"; readonly source: string; readonly path: readonly string[] };

/** Where a value stands. */
export interface SecretPlace {
  /** Its layer. */
  readonly layer: ConfigurationLayer;
  /** Its path there. */
  readonly path: readonly string[];
}

/** What a value means, or the code and the state of the fault. */
export type ParsedSecret =
  | { readonly reference: SecretReference; readonly refused?: never }
  | {
    readonly reference?: never;
    /** Code and state of the fault. */
    readonly refused: readonly [
      "SECRET_REFERENCE_UNKNOWN" | "SECRET_INLINE" | "FIELD_EMPTY",
      string,
    ];
  };

const UNKNOWN: ParsedSecret = {
  refused: [
    "SECRET_REFERENCE_UNKNOWN",
    'write { env = "NAME" }, { keyring = "NAME" } or { stdin = true }.',
  ],
};

/** Reads `value` as a reference to a secret. The value itself stays in its layer. */
export function parseSecret(value: unknown, { layer, path }: SecretPlace): ParsedSecret {
  if (typeof value === "string") {
    if (value.trim() === "") return { refused: ["FIELD_EMPTY", "the secret is empty."] };
    if (isHostPolicy(layer) && layer.codexFile) {
      return { reference: { kind: "inline", source: layer.source, path: [...path] } };
    }
    return {
      refused: [
        "SECRET_INLINE",
        "a secret must not stand in this file. Name an environment variable or a keyring item.",
      ],
    };
  }
  if (!isJsonObject(value)) return UNKNOWN;
  const [member, ...others] = Object.entries(value);
  if (member === undefined || others.length > 0) return UNKNOWN;
  const [kind, name] = member;
  if (kind === "stdin") return name === true ? { reference: { kind } } : UNKNOWN;
  if (typeof name !== "string" || name === "") return UNKNOWN;
  if (kind === "keyring") return { reference: { kind, name } };
  if (kind === "env" && /^[A-Za-z_]\w*$/.test(name)) return { reference: { kind: "environment", name } };
  return UNKNOWN;
}

/**
 * The secret that stands inline in one of `layers`; `null` when `reference` is of another kind or nothing stands
 * there. The layers are those that the configuration was read from.
 */
export function inlineSecret(
  layers: readonly ConfigurationLayer[],
  reference: SecretReference,
): string | null {
  if (reference.kind !== "inline") return null;
  const layer = layers.find(({ source, codexFile, kind }) =>
    source === reference.source && codexFile && isHostPolicy({ kind })
  );
  const value = valueAt(layer?.values, reference.path);
  return typeof value === "string" && value.trim() !== "" ? value : null;
}
