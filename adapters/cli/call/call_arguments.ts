/**
 * The arguments of a call as they are typed or piped: a JSON object that goes out as it is meant. What JavaScript would
 * change on the way is refused, and not rounded.
 *
 * @module
 */

import process from "node:process";
import { JsonError, quote } from "../../../core/errors.ts";
import { isExactText } from "../../../core/json/exact_text.ts";
import { isJsonObject, type JsonObject } from "../../../core/json/value.ts";
import { UsageError } from "../program/exit_code.ts";

/** Reads what stands for the arguments: JSON, `-` for standard input, or nothing. Throws a `UsageError`. */
export async function readArguments(word: string | undefined): Promise<JsonObject> {
  if (word === undefined) return {};
  return word === "-" ? parseArguments(await readInput()) : parseArguments(word);
}

/** The arguments in a JSON text. Throws a `UsageError` that says where it is wrong. */
export function parseArguments(text: string): JsonObject {
  let exact: boolean;
  try {
    exact = isExactText(text);
  } catch (error) {
    if (!(error instanceof JsonError)) throw error;
    throw new UsageError(`The arguments are no JSON${placeOf(text, error.offset)}.`);
  }
  const changed: string[] = [];
  const value: unknown = JSON.parse(text, (_, member: unknown, context?: { readonly source?: string }) => {
    const source = context?.source;
    if (typeof member === "number" && source !== undefined && !isExactText(source)) changed.push(source);
    return member;
  });
  if (!isJsonObject(value)) {
    throw new UsageError(
      `The arguments must be a JSON object, and ${kindOf(value)} begins${placeOf(text, text.search(/\S/))}.`,
    );
  }
  if (exact) return value as JsonObject;
  const [number] = changed;
  throw new UsageError(
    number === undefined
      ? "The arguments would be changed on the way: an object names a key twice, or a number has too many digits."
      : `The arguments would be changed on the way: ${quote(number)} has more digits than a number keeps. ` +
        "Write it as text, if the tool takes that.",
  );
}

function kindOf(value: unknown): string {
  if (Array.isArray(value)) return "an array";
  return value === null ? "null" : `a ${typeof value}`;
}

/** Where in the text, for the end of a sentence; nothing where it is not known. */
function placeOf(text: string, offset: number | undefined): string {
  if (offset === undefined) return "";
  const lines = text.slice(0, offset).split("\n");
  return ` at line ${lines.length}, column ${[...lines.at(-1) ?? ""].length + 1}`;
}

async function readInput(): Promise<string> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of process.stdin) chunks.push(chunk);
  const bytes = new Uint8Array(await new Blob(chunks as BlobPart[]).arrayBuffer());
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    throw new UsageError("Standard input is not UTF-8.");
  }
}
