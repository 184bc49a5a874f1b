/**
 * `codex-mcp` as a process of its own, with a Codex home of the test.
 *
 * @module
 */

import { readdir, readFile } from "node:fs/promises";
import type { Place } from "../fixtures/codex_host/place.ts";
import { path } from "../fixtures/codex_host/servers.ts";

/** How it ended and what it printed. */
export interface CommandLineResult {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** What it is started with besides its words. */
export interface CommandLineOptions {
  /** Written to its standard input; absent: none. */
  readonly input?: string;
  /** Variables besides the inherited ones. */
  readonly environment?: Readonly<Record<string, string>>;
}

/** Starts `codex-mcp` in the workspace of `place`. */
export function startCommandLine(
  place: Place,
  words: readonly string[],
  options: CommandLineOptions = {},
): Deno.ChildProcess {
  const command = new Deno.Command(Deno.execPath(), {
    args: ["run", "--quiet", "-A", path("adapters/cli/main.ts"), ...words],
    cwd: place.workspace,
    env: { NO_COLOR: "1", CODEX_HOME: place.home, ...options.environment },
    stdin: options.input === undefined ? "null" : "piped",
    stdout: "piped",
    stderr: "piped",
  });
  return command.spawn();
}

/** Runs `codex-mcp` in the workspace of `place` to its end. */
export async function runCommandLine(
  place: Place,
  words: readonly string[],
  options: CommandLineOptions = {},
): Promise<CommandLineResult> {
  const child = startCommandLine(place, words, options);
  const output = child.output();
  if (options.input !== undefined) {
    const writer = child.stdin.getWriter();
    await writer.write(new TextEncoder().encode(options.input));
    await writer.close();
  }
  const { code, stdout, stderr } = await output;
  return { code, stdout: new TextDecoder().decode(stdout), stderr: new TextDecoder().decode(stderr) };
}

/** Reads `stream` until `word` came; throws when it ends before that. Leaves the rest unread. */
export async function readUntil(stream: ReadableStream<Uint8Array>, word: string): Promise<string> {
  let text = "";
  for await (const chunk of stream.pipeThrough(new TextDecoderStream())) {
    text += chunk;
    if (text.includes(word)) return text;
  }
  throw new Error(`${JSON.stringify(word)} never came, but ${JSON.stringify(text)}`);
}

/** Ids of the living processes that have `word` among their arguments, in the sandbox or out of it. */
export async function processesWith(word: string): Promise<readonly number[]> {
  if (Deno.build.os !== "linux") {
    const { stdout } = await new Deno.Command("ps", { args: ["-A", "-o", "pid=,args="] }).output();
    const lines = new TextDecoder().decode(stdout).split("\n").filter((line) => line.includes(word));
    return lines.map((line) => parseInt(line));
  }
  const found: number[] = [];
  for (const pid of (await readdir("/proc")).filter((name) => /^\d+$/.test(name))) {
    const args = await readFile(`/proc/${pid}/cmdline`, "utf8").catch(() => "");
    if (args.includes(word)) found.push(Number(pid));
  }
  return found;
}

/** Waits until no process has `word` among its arguments. Throws when that takes too long, and ends what is left. */
export async function untilGone(word: string): Promise<void> {
  const deadline = Date.now() + PATIENCE_MS;
  let left = await processesWith(word);
  while (left.length > 0 && Date.now() < deadline) {
    await new Promise((resolve) => setTimeout(resolve, 50));
    left = await processesWith(word);
  }
  if (left.length === 0) return;
  const args = ["-c", 'kill -KILL "$@"', "sh", ...left.map(String)];
  await new Deno.Command("/bin/sh", { args, stderr: "null" }).output(); // some may go before their turn comes
  throw new Error(`${left.length} processes are left`);
}

/** Far longer than a machine takes that is merely busy. */
const PATIENCE_MS = 30_000;
