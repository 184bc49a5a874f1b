/**
 * Runs a program of the toolchain and keeps what it printed. Gates and runners use it; nothing else starts
 * programs here.
 *
 * @module
 */

import { stripVTControlCharacters } from "node:util";

/** How a program ended and what it printed, standard output first. */
export interface CommandResult {
  /** Exit status. */
  readonly code: number;
  /** Standard output. */
  readonly stdout: string;
  /** Both outputs, without colors. */
  readonly output: string;
  /** Seconds from its start to its end. */
  readonly seconds: number;
}

/** Where and with what it runs. */
export interface CommandOptions {
  /** Working directory. */
  readonly directory: string;
  /** Added to the parent's environment. */
  readonly environment?: Readonly<Record<string, string>>;
}

/** Runs `program` to its end, without standard input. */
export async function run(
  program: string,
  args: readonly string[],
  options: CommandOptions,
): Promise<CommandResult> {
  const command = new Deno.Command(program, {
    args: [...args],
    cwd: options.directory,
    env: { NO_COLOR: "1", DENO_NO_UPDATE_CHECK: "1", ...options.environment },
    stdin: "null",
    stdout: "piped",
    stderr: "piped",
  });
  const begin = performance.now();
  const { code, stdout, stderr } = await command.output();
  const seconds = (performance.now() - begin) / 1000;
  const text = stripVTControlCharacters(new TextDecoder().decode(stdout));
  return {
    code,
    stdout: text,
    output: `${text}${stripVTControlCharacters(new TextDecoder().decode(stderr))}`,
    seconds,
  };
}

/** Runs the Deno that runs this script. */
export function runDeno(args: readonly string[], options: CommandOptions): Promise<CommandResult> {
  return run(Deno.execPath(), args, options);
}
