/**
 * The process port over `node:child_process`. `adapters/deno/process.ts` is the same for Deno.
 *
 * This file decides how Node starts, feeds, reads and signals one child. `core/check_spawn.ts` says what is never
 * started, `_map_error.ts` what a refusal means, `_child_streams.ts` how output is read, `adapters/sandbox/run.ts` when
 * a child has to end.
 *
 * Limits of Node: with `NODE_V8_COVERAGE` set, Node itself adds that variable to the environment of every child.
 *
 * @module
 */

import { type ChildProcess as NodeProcess, spawn as start, spawnSync } from "node:child_process";
import { open, stat } from "node:fs/promises";
import process from "node:process";
import type { Readable, Writable } from "node:stream";
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
import { readChunks, unrefStream } from "./_child_streams.ts";
import { findLivingMember } from "./_group.ts";
import { mapSpawnError } from "./_map_error.ts";
import { type ChildPipe, closeEnds, openNamedPipes } from "./_named_pipes.ts";

/** How children are started. */
export interface ProcessesOptions {
  /**
   * Whether children get pipes instead of Node's sockets, which a Node in a sandbox without network can neither write
   * nor read. Making them takes some milliseconds. On Linux and in Node itself alone; absent: no.
   */
  readonly namedPipes?: boolean;
}

/** Creates the process port for Node 20 and later. */
export function createProcesses(options: ProcessesOptions = {}): ProcessPort {
  const { namedPipes = false } = options;
  return { spawn: (request, spawning) => spawn(request, { ...spawning, namedPipes }) };
}

async function spawn(
  request: SpawnRequest,
  options: SpawnOptions & { readonly namedPipes: boolean },
): Promise<ChildProcess> {
  const windows = process.platform === "win32";
  checkSpawn(request, options, { windows });
  if (!windows) await refuseText(request.executable);
  const { environment, directory, stdin, stderr = "piped" } = options;
  const pipes = options.namedPipes
    ? await openNamedPipes([stdin === "piped" ? "in" : null, "out", stderr === "piped" ? "out" : null])
    : [];
  const childEnd = (index: number, instead: "pipe" | "ignore" | "inherit") =>
    pipes[index]?.childEnd ?? instead;
  try {
    const child = start(request.executable, [...request.args], {
      env: { ...environment },
      ...(directory === undefined ? {} : { cwd: directory }),
      stdio: [
        childEnd(0, stdin === "piped" ? "pipe" : "ignore"),
        childEnd(1, "pipe"),
        childEnd(2, stderr === "piped" ? "pipe" : "inherit"),
      ],
      detached: !windows,
      windowsHide: true,
      shell: false,
    });
    const started = new NodeChild(child, { windows, pipes });
    await new Promise<void>((resolve, reject) => child.once("spawn", resolve).once("error", reject));
    return started;
  } catch (error) {
    for (const pipe of pipes) pipe?.stream.destroy();
    throw await mapSpawnError(error, { executable: request.executable, directory });
  } finally {
    closeEnds(pipes.flatMap((pipe) => pipe?.childEnd ?? []));
  }
}

/** Refuses what the C library would run through `/bin/sh`. A file that cannot be read is left to the system. */
async function refuseText(executable: string): Promise<void> {
  const head = new Uint8Array(PROGRAM_HEAD_BYTES);
  let length: number;
  try {
    if (!(await stat(executable)).isFile()) return;
    const file = await open(executable);
    try {
      length = (await file.read(head)).bytesRead;
    } finally {
      await file.close();
    }
  } catch {
    return; // The start itself will tell what is wrong with it, if anything is.
  }
  if (!lacksInterpreter(head.subarray(0, length))) return;
  throw new ProcessError("PROGRAM_NOT_EXECUTABLE", `Cannot start ${quote(executable)}: it is not a program`);
}

interface ChildSetting {
  readonly windows: boolean;
  /** In place of the streams that Node itself makes; empty: none. */
  readonly pipes: readonly (ChildPipe | null)[];
}

class NodeChild implements ChildProcess {
  readonly pid: number;
  readonly stdout: AsyncIterable<Uint8Array>;
  readonly stderr: AsyncIterable<Uint8Array>;
  readonly exited: Promise<ProcessExit>;
  readonly #child: NodeProcess;
  readonly #stdin: Writable | null;
  readonly #streams: readonly (Readable | Writable | null)[];
  readonly #windows: boolean;
  #ended = false;
  #gone = false;
  #member: number | null = null;

  constructor(child: NodeProcess, { windows, pipes }: ChildSetting) {
    const [stdin = null, stdout = null, stderr = null] = pipes.map((pipe) => pipe?.stream ?? null);
    this.#child = child;
    this.#windows = windows;
    this.pid = child.pid ?? 0;
    this.#stdin = child.stdin ?? stdin;
    this.#streams = [this.#stdin, child.stdout ?? stdout, child.stderr ?? stderr];
    this.stdout = readChunks(child.stdout ?? stdout);
    this.stderr = readChunks(child.stderr ?? stderr);
    child.on("error", ignore);
    this.#stdin?.on("error", ignore);
    this.exited = new Promise((resolve) => {
      child.once("exit", (exitCode, signal) => {
        this.#ended = true;
        resolve({ exitCode, signal });
      });
    });
  }

  write(bytes: Uint8Array): Promise<boolean> {
    const stdin = this.#stdin;
    if (stdin === null || !stdin.writable) return Promise.resolve(false);
    return new Promise((resolve) => stdin.write(bytes, (error) => resolve(!error && !stdin.destroyed)));
  }

  closeStdin(): Promise<void> {
    const stdin = this.#stdin;
    if (stdin === null || !stdin.writable) return Promise.resolve();
    return new Promise((resolve) => {
      stdin.once("close", resolve);
      stdin.end(() => resolve());
    });
  }

  kill(signal: "SIGTERM" | "SIGKILL"): boolean {
    return this.#windows ? this.alive() && endTree(this.pid) : this.#signal(signal);
  }

  alive(): boolean {
    if (this.#windows) return !this.#ended;
    if (!this.#signal(0)) return false;
    if (!this.#ended) return true;
    // The leader has ended: what answers may be processes that have ended too, and that nobody reaps.
    const member = findLivingMember(this.pid, this.#member);
    this.#member = member ?? null;
    return member !== null;
  }

  unref(): void {
    this.#child.unref();
    for (const stream of this.#streams) unrefStream(stream);
  }

  release(): void {
    for (const stream of this.#streams) stream?.destroy();
  }

  /** An id whose group has ended may come back as another's, so it is not used again. */
  #signal(signal: "SIGTERM" | "SIGKILL" | 0): boolean {
    if (this.#gone) return false;
    try {
      return process.kill(-this.pid, signal);
    } catch (error) {
      const missing = readCode(error) === "ESRCH";
      this.#gone = missing && this.#ended;
      return !missing;
    }
  }
}

/** Ends a Windows process and its descendants. There is no gentle way for a console program. */
function endTree(pid: number): boolean {
  const program = `${process.env["SystemRoot"] ?? "C:\\Windows"}\\System32\\taskkill.exe`;
  const args = ["/PID", String(pid), "/T", "/F"];
  return spawnSync(program, args, { windowsHide: true, stdio: "ignore" }).status === 0;
}

/** For events whose content says nothing that is not known otherwise. */
function ignore(): void {}
