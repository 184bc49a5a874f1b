/**
 * Parses a configuration file, in TOML or JSON. The parser of TOML is loaded when there is TOML to be read. What a
 * parser says quotes the lines around a mistake, which may hold a secret, so that only the place of it is told.
 *
 * What the values mean is decided in `core/configuration` and `core/enterprise/config`.
 *
 * @module
 */

import { JsonError } from "../../core/errors.ts";
import { isJsonObject } from "../../core/json/value.ts";
import { plainJsonText } from "./json_comments.ts";

/** What a text holds, or what is wrong with it. */
export type ParsedConfiguration =
  | { readonly kind: "parsed"; readonly format: "toml" | "json"; readonly values: unknown }
  | {
    readonly kind: "malformed";
    /** How it was read. */
    readonly format: "toml" | "json";
    /** Line of the mistake, from 1; `null`: not known. */
    readonly line: number | null;
    /** The state, to follow the name of the file in a sentence. */
    readonly state: string;
  };

/**
 * The values in `text`. Without `format`, a text that begins with `{` is JSON, which may have comments and commas
 * before a closing bracket, and any other TOML 1.0. Integers of TOML that JavaScript cannot hold are `bigint`s.
 */
export async function parseConfiguration(
  text: string,
  { format }: { readonly format?: "toml" | "json" } = {},
): Promise<ParsedConfiguration> {
  const bare = text.replace(/^\ufeff/, "");
  if (format === "toml") return await parseToml(bare);
  const json = plainJsonText(bare);
  return format === "json" || format === undefined && /^\s*\{/.test(json)
    ? await parseJson(json)
    : await parseToml(bare);
}

async function parseJson(text: string): Promise<ParsedConfiguration> {
  const format = "json";
  try {
    const values: unknown = JSON.parse(text);
    if (isJsonObject(values)) return { kind: "parsed", format, values };
    return { kind: "malformed", format, line: null, state: "it is no JSON object." };
  } catch {
    const line = await lineOfMistake(text);
    return { kind: "malformed", format, line, state: "it is no JSON. Correct it." };
  }
}

async function lineOfMistake(text: string): Promise<number | null> {
  const { cutJson } = await import("../../core/json/scan.ts");
  try {
    cutJson(text, []);
    return null;
  } catch (error) {
    if (!(error instanceof JsonError) || error.offset === undefined) return null;
    return text.slice(0, error.offset).split("\n").length;
  }
}

async function parseToml(text: string): Promise<ParsedConfiguration> {
  const { parse, TomlError } = await import("smol-toml");
  const format = "toml";
  try {
    return { kind: "parsed", format, values: parse(text, { integersAsBigInt: "asNeeded" }) };
  } catch (error) {
    const known = error instanceof TomlError;
    const place = known ? ` (column ${error.column})` : "";
    return {
      kind: "malformed",
      format,
      line: known ? error.line : null,
      state: `it is no TOML${place}. Correct it.`,
    };
  }
}
