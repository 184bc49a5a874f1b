/**
 * Speaking to the person or the program at the other end: results on standard output, everything else on standard
 * error, colour and movement on a terminal alone.
 *
 * @module
 */

import { type CliConsole, NODE_CONSOLE, type OutputWatch, type StreamName } from "./console.ts";
import { withMovingLine } from "./moving_line.ts";

let current: CliConsole = NODE_CONSOLE;

/** Everything goes through this console from now on; before it, through the streams of Node. */
export function speakThrough(other: CliConsole): void {
  current = other;
}

/** Writes to a stream of this process. What goes wrong {@linkcode watchOutput} tells. */
export function writeOutput(name: StreamName, data: string | Uint8Array): void {
  current.write(name, data);
}

/** Whether somebody looks at the stream. */
export function isTerminal(name: StreamName): boolean {
  return current.isTerminal(name);
}

/** A variable of this process that says how to speak; `undefined`: it is not set. */
export function variable(name: string): string | undefined {
  return current.variable(name);
}

/** Keeps a failure to write from ending this process, and remembers it. */
export function watchOutput(): OutputWatch {
  return current.watch();
}

/** What JSON may hold as it is and a terminal takes for a command, or for the direction of writing. */
const UNSAFE = /[\u007f-\u009f\u200e\u200f\u2028-\u202e\u2066-\u2069]/g;

/** One JSON document on standard output, safe to look at in a terminal. */
export function printJson(value: unknown): void {
  const escape = (character: string): string => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`;
  writeOutput("stdout", `${JSON.stringify(value, null, 2).replace(UNSAFE, escape)}\n`);
}

/** One line of the result on standard output. */
export function print(line: string): void {
  writeOutput("stdout", `${line}\n`);
}

/** One line beside the result, on standard error. */
export function diagnose(line: string): void {
  writeOutput("stderr", `${line}\n`);
}

/** Colours that carry a meaning. */
export type Tone = "good" | "bad" | "quiet";

const CODES: Readonly<Record<Tone, string>> = { good: "32", bad: "31", quiet: "2" };

/** `text` in a tone, where `stream` is a terminal and `NO_COLOR` (no-color.org) is not set. */
export function paint(
  text: string,
  tone: Tone,
  stream: { readonly isTTY?: boolean } = { isTTY: isTerminal("stdout") },
): string {
  if (!stream.isTTY || variable("NO_COLOR")) return text;
  return `\u001b[${CODES[tone]}m${text}\u001b[0m`;
}

/** Runs `work` with a spinner and `message` on standard error, if that is a terminal. */
export async function withSpinner<Value>(message: string, work: () => Promise<Value>): Promise<Value> {
  return await withMovingLine(message, () => work());
}
