/**
 * A tool's result on a command line: text on standard output, the structured content where there is no text, the rest
 * in files of `--output`. What a tool reports as its own failure is on standard error.
 *
 * On a terminal nothing that moves the cursor passes; a pipe gets the text as it came.
 *
 * @module
 */

import process from "node:process";
import { EXIT } from "../program/exit_code.ts";
import { visible } from "../terminal/shown.ts";
import { diagnose, printJson, writeOutput } from "../terminal/terminal.ts";
import { visibleText } from "../terminal/visible_text.ts";
import type { OutputFolder } from "./output_folder.ts";
import { partsOf, type ResultPart } from "./result_content.ts";

/** What is shown of a result. */
export interface ShownResult {
  /** Its content. */
  readonly content: readonly unknown[];
  /** Its structured content; absent: none. */
  readonly structuredContent?: unknown;
  /** Whether the tool reports a failure. */
  readonly isError?: boolean | undefined;
}

/** How it is shown. */
export interface TellOptions {
  /** Whether one JSON document is printed. */
  readonly json: boolean;
  /** Where files go; `null`: they are left out. */
  readonly folder: OutputFolder | null;
}

/** Tells it and gives back the exit code: 1 where the tool reports a failure. Rejects when a file cannot be written. */
export async function tellResult(result: ShownResult, { json, folder }: TellOptions): Promise<number> {
  const failed = result.isError === true;
  const parts = partsOf(result.content);
  const files = await writeFiles(parts, folder);
  if (json) {
    printJson(folder === null ? result : { ...result, files: files.filter((path) => path !== null) });
    return failed ? EXIT.failed : EXIT.done;
  }
  const text = textOf(parts);
  if (text !== null) writeText(text, failed ? "stderr" : "stdout");
  else if (result.structuredContent !== undefined) writeStructured(result.structuredContent, failed);
  for (const [index, part] of parts.entries()) tellPart(part, files[index] ?? null);
  return failed ? EXIT.failed : EXIT.done;
}

/** The path of each part that was written; `null` for the others. */
async function writeFiles(
  parts: readonly ResultPart[],
  folder: OutputFolder | null,
): Promise<readonly (string | null)[]> {
  const paths: (string | null)[] = [];
  for (const part of parts) {
    const written = part.kind === "file" && folder !== null;
    paths.push(written ? await folder.write(part.content, part.bytes) : null);
  }
  return paths;
}

function textOf(parts: readonly ResultPart[]): string | null {
  const texts = parts.flatMap((part) => part.kind === "text" ? [part.text] : []);
  return texts.length === 0 ? null : texts.join("\n");
}

function writeText(text: string, stream: "stdout" | "stderr"): void {
  const whole = text === "" || text.endsWith("\n") ? text : `${text}\n`;
  const exact = stream === "stdout" && !process.stdout.isTTY;
  writeOutput(stream, exact ? whole : visibleText(whole));
}

function writeStructured(value: unknown, failed: boolean): void {
  if (failed) writeText(JSON.stringify(value, null, 2), "stderr");
  else printJson(value);
}

function tellPart(part: ResultPart, path: string | null): void {
  if (part.kind === "link") diagnose(`codex-mcp: a link: ${visible(part.uri)}`);
  if (part.kind === "unknown") diagnose(`codex-mcp: left out: ${visible(part.what)}.`);
  if (part.kind !== "file") return;
  const { mimeType, fallback } = part.content;
  const what = `${visible(mimeType ?? fallback)}, ${part.bytes.length} bytes`;
  diagnose(
    path === null
      ? `codex-mcp: left out: ${what}. Write it with --output DIR.`
      : `codex-mcp: wrote ${visible(path)} (${what}).`,
  );
}
