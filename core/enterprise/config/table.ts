/**
 * Reads the fields of one table of one layer and collects what is wrong with them. Values stay as they are written.
 * Which fields there are, and how they go together, is decided in `provider.ts` and `server.ts`.
 *
 * @module
 */

import {
  type ConfigurationFault,
  type ConfigurationFaultCode,
  type ConfigurationWarning,
  faultOf,
  warningOf,
} from "../../configuration/layers/fault.ts";
import { type ConfigurationLayer, nameOf, valueAt } from "../../configuration/layers/layer.ts";
import { isJsonObject } from "../../json/value.ts";
import { isScope } from "../scope.ts";
import { issuerFlaw, urlFlaw, urlFlawText } from "../url.ts";
import { parseSecret, type SecretReference } from "./secret.ts";

/** Where faults and warnings are collected. */
export interface Findings {
  /** What is wrong, in the order of the checks. */
  readonly faults: ConfigurationFault[];
  /** What should be changed. */
  readonly warnings: ConfigurationWarning[];
}

/** A table in a layer, and where its findings go. */
export interface Table {
  /** The layer. */
  readonly layer: ConfigurationLayer;
  /** Path of the table. */
  readonly path: readonly string[];
  /** What was found so far. */
  readonly findings: Findings;
}

/** Reports that `field` of the table breaks the rule `code`. */
export function report(
  { layer, path, findings }: Table,
  [code, field, state]: readonly [code: ConfigurationFaultCode, field: string, state: string],
): void {
  findings.faults.push(faultOf(code, { path: [...path, field], layer: nameOf(layer), state }));
}

/** The raw value of `field`; `undefined` when it is missing. */
export function rawOf({ layer, path }: Table, field: string): unknown {
  return valueAt(layer.values, [...path, field]);
}

/** A text that is not empty; `null` when it is missing or wrong. */
export function textOf(table: Table, field: string): string | null {
  const value = rawOf(table, field);
  if (value === undefined) return null;
  if (typeof value !== "string") {
    report(table, ["FIELD_TYPE", field, "it must be a string."]);
    return null;
  }
  if (value.trim() === "") {
    report(table, ["FIELD_EMPTY", field, "it is empty. Give it a value or take it out."]);
    return null;
  }
  return value;
}

/** Like {@linkcode textOf}, for a field that must be there. */
export function requiredText(table: Table, field: string): string | null {
  if (rawOf(table, field) !== undefined) return textOf(table, field);
  report(table, ["FIELD_MISSING", field, "it is missing."]);
  return null;
}

/** A URL that host policy configures, or an issuer; `null` when it is missing or refused. */
export function urlOf(
  table: Table,
  { field, issuer = false, anchor }: {
    readonly field: string;
    readonly issuer?: boolean;
    readonly anchor?: string | undefined;
  },
): string | null {
  const text = textOf(table, field);
  if (text === null) return null;
  const flaw = issuer ? issuerFlaw(text, { anchor }) : urlFlaw(text, { anchor });
  if (flaw === null) return text;
  report(table, ["URL_REFUSED", field, `${urlFlawText(flaw)}.`]);
  return null;
}

/** A truth value; `fallback` when it is missing or wrong. */
export function booleanOf(table: Table, field: string, fallback = false): boolean {
  const value = rawOf(table, field);
  if (value === undefined) return fallback;
  if (typeof value === "boolean") return value;
  report(table, ["FIELD_TYPE", field, "it must be true or false."]);
  return fallback;
}

/** A list of scopes, each once; `null` when it is missing or wrong. */
export function scopesOf(table: Table, field: string): readonly string[] | null {
  const value = rawOf(table, field);
  if (value === undefined) return null;
  if (!Array.isArray(value) || !value.every((scope) => typeof scope === "string")) {
    report(table, ["FIELD_TYPE", field, "it must be a list of strings."]);
    return null;
  }
  if (value.every(isScope)) return [...new Set(value)];
  report(table, ["SCOPE_REFUSED", field, "each scope is one word of printable ASCII."]);
  return null;
}

/** A reference to a secret; `null` when it is missing or refused. */
export function secretOf(table: Table, field: string): SecretReference | null {
  const value = rawOf(table, field);
  if (value === undefined) return null;
  const { layer, path, findings } = table;
  const place = [...path, field];
  const { reference, refused } = parseSecret(value, { layer, path: place });
  if (reference === undefined) {
    report(table, [refused[0], field, refused[1]]);
    return null;
  }
  if (reference.kind === "inline") {
    findings.warnings.push(warningOf("SECRET_INLINE", {
      path: place,
      layer: nameOf(layer),
      text: (where) =>
        `The secret ${where} stands in the file itself. ` +
        'Name an environment variable ({ env = "NAME" }) or a keyring item ({ keyring = "NAME" }) instead.',
    }));
  }
  return reference;
}

/** Warns about the fields of the table that are not in `known`; a table that is none is a fault. */
export function checkFields(table: Table, known: readonly string[]): boolean {
  const value = valueAt(table.layer.values, table.path);
  if (!isJsonObject(value)) {
    const [field = "", ...rest] = table.path.toReversed();
    report({ ...table, path: rest.toReversed() }, ["FIELD_TYPE", field, "it must be a table."]);
    return false;
  }
  for (const field of Object.keys(value).filter((name) => !known.includes(name))) {
    table.findings.warnings.push(warningOf("FIELD_UNKNOWN", {
      path: [...table.path, field],
      layer: nameOf(table.layer),
      text: (where) => `The field ${where} is not known here and was not read.`,
    }));
  }
  return true;
}
