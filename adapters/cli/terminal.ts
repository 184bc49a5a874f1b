/**
 * Speaking to the person or the program at the other end: results on standard output, everything else on standard
 * error, colour and movement on a terminal alone.
 *
 * @module
 */

import process from "node:process";
import { withMovingLine } from "./moving_line.ts";

/**
 * Writes to a stream of this process. What goes wrong becomes the stream's `error` event, be it a pipe that nobody
 * reads (told later) or a disk that is full (thrown at once, by Deno).
 */
export function writeOutput(name: "stdout" | "stderr", data: string | Uint8Array): void {
  try {
    process[name].write(data);
  } catch (error) {
    process[name].emit("error", error);
  }
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

/** What became of the output of this process. */
export interface OutputWatch {
  /** Resolves once everything that {@linkcode writeOutput} was given is out or has failed. */
  settle(): Promise<void>;
  /** Code of the first failure to write standard output (`"EPIPE"`, `"ENOSPC"`); `undefined`: there was none. */
  failure(): string | undefined;
}

/** Keeps a failure to write from ending this process, and remembers it. */
export function watchOutput(): OutputWatch {
  const failures = { stdout: watchStream(process.stdout), stderr: watchStream(process.stderr) };
  return {
    settle: async () => {
      await Promise.all([settled(process.stdout, failures.stdout), settled(process.stderr, failures.stderr)]);
    },
    failure: failures.stdout,
  };
}

/** Gives back what asks for the code of the first failure. */
function watchStream(stream: NodeJS.WriteStream): () => string | undefined {
  let failure: string | undefined;
  stream.on("error", (error: Error & { readonly code?: string }) => {
    failure ??= error.code ?? error.name;
  });
  return () => failure;
}

/**
 * Node tells of an error later, writes to a pipe later except on Linux, and loses what is left when a process exits.
 */
async function settled(stream: NodeJS.WriteStream, failure: () => string | undefined): Promise<void> {
  if (failure() !== undefined) return;
  await new Promise<void>((resolve) => {
    stream.once("error", () => resolve());
    if (stream.destroyed || stream.writableLength === 0) setImmediate(resolve);
    else stream.write("", () => resolve());
  });
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
  return await withMovingLine(message, () => work());
}
