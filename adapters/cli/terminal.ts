/**
 * Speaking to the person or the program at the other end: results on standard output, everything else on standard
 * error, colour and movement on a terminal alone.
 *
 * @module
 */

import process from "node:process";

/** One JSON document on standard output. */
export function printJson(value: unknown): void {
  process.stdout.write(`${JSON.stringify(value, null, 2)}\n`);
}

/** One line of the result on standard output. */
export function print(line: string): void {
  process.stdout.write(`${line}\n`);
}

/** One line beside the result, on standard error. */
export function diagnose(line: string): void {
  process.stderr.write(`${line}\n`);
}

/** Colours that carry a meaning. */
export type Tone = "good" | "bad" | "quiet";

const CODES: Readonly<Record<Tone, string>> = { good: "32", bad: "31", quiet: "2" };

/** `text` in a tone, where `stream` is a terminal and `NO_COLOR` (no-color.org) is not set. */
export function paint(
  text: string,
  tone: Tone,
  stream: { readonly isTTY?: boolean } = process.stdout,
): string {
  if (!stream.isTTY || process.env["NO_COLOR"]) return text;
  return `\u001b[${CODES[tone]}m${text}\u001b[0m`;
}

/** Runs `work` with a spinner and `message` on standard error, if that is a terminal. */
export async function withSpinner<Value>(message: string, work: () => Promise<Value>): Promise<Value> {
  if (!process.stderr.isTTY || typeof Deno === "undefined") return await work();
  const { Spinner } = await import("@std/cli/unstable-spinner");
  const spinner = new Spinner({ message, output: Deno.stderr });
  spinner.start();
  try {
    return await work();
  } finally {
    spinner.stop();
  }
}
