/**
 * The process port over `Deno.Command`. `adapters/node/process.ts` is the same for Node.
 *
 * This file decides how Deno starts, feeds, reads and signals one child. `core/check_spawn.ts` says what is never
 * started, `_map_error.ts` what a refusal means, `adapters/sandbox/run.ts` when a child has to end.
 *
 * Limits of Deno: a process that left the child's group, still holds its standard input and does not read it keeps
 * Deno alive while more than one pipe's worth is being written to it.
 *
 * @module
 */

import { checkSpawn, lacksInterpreter, PROGRAM_HEAD_BYTES } from "../../core/check_spawn.ts";
import { ProcessError, quote } from "../../core/errors.ts";
import type {
  ChildProcess,
  ProcessExit,
  ProcessPort,
  SpawnOptions,
  SpawnRequest,
} from "../../core/ports/process.ts";
import { readCode } from "../spawn_error.ts";
import { findLivingMember } from "./_group.ts";
import { mapSpawnError } from "./_map_error.ts";

/**
 * Creates the process port for Deno.
 *
 * Permissions: `--allow-run` without a list (Deno asks for it to signal a process group), and `--allow-read` for
 * the programs and directories, without which a refusal is told less exactly. On Linux, only `--allow-all` lets Deno
 * read `/proc`; without it a group whose processes have ended and are not yet reaped counts as alive, so that ending
 * it can take the whole grace. On Windows also `--allow-env=SystemRoot`.
 */
export function createProcesses(): ProcessPort {
  return { spawn };
}

async function spawn(request: SpawnRequest, options: SpawnOptions): Promise<ChildProcess> {
  const windows = Deno.build.os === "windows";
  checkSpawn(request, options, { windows });
  if (!windows) await refuseText(request.executable);
  const { environment, directory, stdin, stderr = "piped" } = options;
  try {
    const command = new Deno.Command(request.executable, {
      args: [...request.args],
      clearEnv: true,
      env: { ...environment },
      ...(directory === undefined ? {} : { cwd: directory }),
      stdin: stdin === "piped" ? "piped" : "null",
      stdout: "piped",
      stderr,
      detached: !windows,
    });
    return new DenoChild(command.spawn(), { stdin: stdin === "piped", stderr: stderr === "piped", windows });
  } catch (error) {
    throw await mapSpawnError(error, { executable: request.executable, directory });
  }
}

/** Refuses what the C library would run through `/bin/sh`. A file that cannot be read is left to the system. */
async function refuseText(executable: string): Promise<void> {
  const head = new Uint8Array(PROGRAM_HEAD_BYTES);
  let length: number;
  try {
    if (!(await Deno.stat(executable)).isFile) return;
    const file = await Deno.open(executable);
    try {
      length = await file.read(head) ?? 0;
    } finally {
      file.close();
    }
  } catch {
    return; // The start itself will tell what is wrong with it, if anything is.
  }
  if (!lacksInterpreter(head.subarray(0, length))) return;
  throw new ProcessError("PROGRAM_NOT_EXECUTABLE", `Cannot start ${quote(executable)}: it is not a program`);
}

class DenoChild implements ChildProcess {
  readonly pid: number;
  readonly stdout: AsyncIterable<Uint8Array>;
  readonly stderr: AsyncIterable<Uint8Array>;
  readonly exited: Promise<ProcessExit>;
  readonly #child: Deno.ChildProcess;
  readonly #writer: WritableStreamDefaultWriter<Uint8Array<ArrayBuffer>> | null;
  readonly #readers: readonly ReadableStreamDefaultReader<Uint8Array>[];
  readonly #released: Promise<false>;
  readonly #windows: boolean;
  #release: () => void = ignore;
  #ended = false;
  #gone = false;
  #member: number | null = null;

  constructor(
    child: Deno.ChildProcess,
    piped: { readonly stdin: boolean; readonly stderr: boolean; readonly windows: boolean },
  ) {
    this.#child = child;
    this.#windows = piped.windows;
    this.pid = child.pid;
    const stdout = child.stdout.getReader();
    const stderr = piped.stderr ? child.stderr.getReader() : null;
    this.#readers = stderr === null ? [stdout] : [stdout, stderr];
    this.stdout = readChunks(stdout);
    this.stderr = stderr === null ? nothing() : readChunks(stderr);
    this.#writer = piped.stdin ? child.stdin.getWriter() : null;
    this.#writer?.closed.catch(ignore);
    this.#writer?.ready.catch(ignore);
    this.#released = new Promise((resolve) => this.#release = () => resolve(false));
    this.exited = child.status.then(({ code, signal }) => {
      this.#ended = true;
      return { exitCode: signal === null ? code : null, signal };
    });
  }

  write(bytes: Uint8Array): Promise<boolean> {
    if (this.#writer === null) return Promise.resolve(false);
    const copy = new Uint8Array(bytes);
    return Promise.race([this.#writer.write(copy).then(() => true, () => false), this.#released]);
  }

  async closeStdin(): Promise<void> {
    await Promise.race([this.#writer?.close().catch(ignore), this.#released]);
  }

  kill(signal: "SIGTERM" | "SIGKILL"): boolean {
    if (this.#windows) return this.alive() && endTree(this.pid);
    return this.#signal(() => Deno.kill(-this.pid, signal));
  }

  alive(): boolean {
    if (this.#windows) return !this.#ended;
    if (!this.#signal(() => globalThis.process.kill(-this.pid, 0))) return false;
    if (!this.#ended) return true;
    // The leader has ended: what answers may be processes that have ended too, and that nobody reaps.
    const member = findLivingMember(this.pid, this.#member);
    this.#member = member ?? null;
    return member !== null;
  }

  unref(): void {
    this.#child.unref();
  }

  release(): void {
    this.#release();
    for (const reader of this.#readers) reader.cancel().catch(ignore);
    this.#writer?.abort().catch(ignore);
  }

  /** An id whose group has ended may come back as another's, so it is not used again. */
  #signal(send: () => void): boolean {
    if (this.#gone) return false;
    try {
      send();
      return true;
    } catch (error) {
      const missing = error instanceof Deno.errors.NotFound || readCode(error) === "ESRCH";
      this.#gone = missing && this.#ended;
      return !missing;
    }
  }
}

/** Pulls one chunk at a time. A failed read is the end, like a cancelled one. */
async function* readChunks(reader: ReadableStreamDefaultReader<Uint8Array>): AsyncGenerator<Uint8Array> {
  try {
    for (let part = await reader.read(); !part.done; part = await reader.read()) yield part.value;
  } catch {
    return; // The pipe broke: nothing more will come.
  } finally {
    reader.cancel().catch(ignore);
  }
}

async function* nothing(): AsyncGenerator<Uint8Array> {}

/** Ends a Windows process and its descendants. There is no gentle way for a console program. */
function endTree(pid: number): boolean {
  const system = Deno.env.get("SystemRoot") ?? "C:\\Windows";
  const args = ["/PID", String(pid), "/T", "/F"];
  return new Deno.Command(`${system}\\System32\\taskkill.exe`, { args, stdin: "null" }).outputSync().success;
}

/** For promises whose failure says nothing that is not known otherwise. */
function ignore(): void {}
