/**
 * Reads the fields of a merged server and collects what is wrong with them. No message holds a value.
 *
 * Which fields there are is decided in `settings.ts`, `stdio_entry.ts` and `http_entry.ts`.
 *
 * @module
 */

import { fieldOf, isTable, type MergedServer, refuse } from "./merged_server.ts";

/** Longest time that a timer of JavaScript can wait for, in milliseconds. */
const MAX_MILLISECONDS = 2_147_483_647;

/** A text that is not empty and can be passed on; `null` when it is missing or wrong. */
export function textField(server: MergedServer, field: string): string | null {
  const value = fieldOf(server, field);
  if (value === undefined) return null;
  if (typeof value !== "string") {
    refuse(server, ["FIELD_TYPE", [field], "it must be a string."]);
    return null;
  }
  if (value.trim() === "") {
    refuse(server, ["FIELD_EMPTY", [field], "it is empty. Give it a value or take it out."]);
    return null;
  }
  return checkText(server, [field], value) ? value : null;
}

/** A list of texts; `null` when it is missing or wrong. */
export function listField(server: MergedServer, field: string): readonly string[] | null {
  const value = fieldOf(server, field);
  if (value === undefined) return null;
  if (!Array.isArray(value)) {
    refuse(server, ["FIELD_TYPE", [field], "it must be a list of strings."]);
    return null;
  }
  const before = server.findings.faults.length;
  const texts: string[] = [];
  for (const [index, item] of value.entries()) {
    const path = [field, String(index)];
    if (typeof item !== "string") refuse(server, ["FIELD_TYPE", path, "it must be a string."]);
    else if (checkText(server, path, item)) texts.push(item);
  }
  return server.findings.faults.length === before ? texts : null;
}

/** A table of texts; `null` when it is missing or wrong. */
export function tableField(server: MergedServer, field: string): Readonly<Record<string, string>> | null {
  const value = fieldOf(server, field);
  if (value === undefined) return null;
  if (!isTable(value)) {
    refuse(server, ["FIELD_TYPE", [field], "it must be a table of strings."]);
    return null;
  }
  const before = server.findings.faults.length;
  const texts: [string, string][] = [];
  for (const [key, item] of Object.entries(value)) {
    if (typeof item !== "string") refuse(server, ["FIELD_TYPE", [field, key], "it must be a string."]);
    else if (checkText(server, [field, key], item)) texts.push([key, item]);
  }
  return server.findings.faults.length === before ? Object.fromEntries(texts) : null;
}

/** A truth value; `fallback` when it is missing or wrong. */
export function booleanField(server: MergedServer, field: string, fallback: boolean): boolean {
  const value = fieldOf(server, field);
  if (value === undefined || typeof value === "boolean") return value ?? fallback;
  refuse(server, ["FIELD_TYPE", [field], "it must be true or false."]);
  return fallback;
}

/** One of `choices`; `null` when it is missing or wrong, which names those of `told`. */
export function choiceField<Choice extends string>(
  server: MergedServer,
  field: string,
  { choices, told = choices }: { readonly choices: readonly Choice[]; readonly told?: readonly string[] },
): Choice | null {
  const text = textField(server, field);
  const choice = choices.find((known) => known === text);
  if (text !== null && choice === undefined) {
    refuse(server, ["VALUE_UNKNOWN", [field], `use one of ${told.join(", ")}.`]);
  }
  return choice ?? null;
}

/**
 * A time in milliseconds, from seconds with a fraction or from whole milliseconds; `null` when it is missing or wrong.
 * One that no timer can wait for becomes the longest that one can.
 */
export function timeField(
  server: MergedServer,
  field: string,
  { unit }: { readonly unit: "seconds" | "milliseconds" },
): number | null {
  const value = fieldOf(server, field);
  if (value === undefined) return null;
  // a TOML parser may give integers as bigint
  const number = typeof value === "bigint" ? Number(value) : value;
  const whole = unit === "milliseconds";
  if (typeof number !== "number" || whole && Number.isFinite(number) && !Number.isInteger(number)) {
    refuse(server, [
      "FIELD_TYPE",
      [field],
      `it must be a number of ${whole ? "whole milliseconds" : "seconds"}.`,
    ]);
    return null;
  }
  if (number > 0 && Number.isFinite(number)) {
    return Math.min(Math.ceil(whole ? number : number * 1000), MAX_MILLISECONDS);
  }
  refuse(server, ["VALUE_RANGE", [field], "it must be more than 0, and finite."]);
  return null;
}

/** Whether a variable can have this name. */
export function isVariableName(name: string): boolean {
  // deno-lint-ignore no-control-regex
  return name !== "" && !/[=\x00]/.test(name) && name.isWellFormed();
}

/** Reports a text that no program and no request can be given. */
function checkText(server: MergedServer, path: readonly string[], text: string): boolean {
  if (!text.includes("\0") && text.isWellFormed()) return true;
  refuse(server, ["VALUE_MALFORMED", path, "it holds a NUL or half of a character."]);
  return false;
}
