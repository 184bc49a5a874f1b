/**
 * One child that runs on: fed, read without pause, and brought to its certain end.
 *
 * This file decides when its group has to end and that no output is left in its pipes. `run.ts` does the same
 * for a child with one input and one result, `end_group.ts` ends the group, `guard.ts` covers the death of the
 * parent itself. Web APIs only: it runs wherever a process port exists.
 *
 * @module
 */

import type { ChildProcess, ProcessExit, ProcessPort, SpawnRequest } from "../../core/ports/process.ts";
import { endGroup, within } from "./end_group.ts";
import type { ProcessGuard } from "./guard.ts";

/** Milliseconds after KILL in which the exit of the child has to be reported. */
const REAP_MS = 2_000;

/** With what a child runs, and until when. */
export interface LiveOptions {
  /** The whole environment of the child. */
  readonly environment: Readonly<Record<string, string>>;
  /** Ends the child when it aborts, whenever that is. */
  readonly signal?: AbortSignal | undefined;
  /** Milliseconds from TERM to KILL; absent: 2,000. */
  readonly graceMs?: number | undefined;
  /** Milliseconds that a process which outlives the child may go on using its pipes; absent: 500. */
  readonly drainMs?: number | undefined;
  /** Told of every chunk of output, as it comes. The chunk may be reused after the call returns. */
  readonly onOutput?: ((stream: "stdout" | "stderr", chunk: Uint8Array) => void) | undefined;
  /** Ends the group when the parent is killed; absent: an orphan can survive that. */
  readonly guard?: ProcessGuard | undefined;
}

/** A child that runs on. Its output is read as fast as it comes, so that it never waits for a reader. */
export class LiveProcess {
  /** Process id; on Unix also the id of the process group. */
  readonly pid: number;
  /**
   * Settles once, when no process of the group is left (except as `endGroup` says) and its output has ended or
   * was given up. Never rejects; both fields are `null` when the end of the child could not be seen.
   */
  readonly ended: Promise<ProcessExit>;
  readonly #child: ChildProcess;
  #stop: () => void = () => {};

  /** Supervises a child that has just been started; {@linkcode LiveProcess.start} starts one. */
  constructor(child: ChildProcess, options: Omit<LiveOptions, "environment">) {
    this.#child = child;
    this.pid = child.pid;
    const stopped = new Promise<"stopped">((resolve) => this.#stop = () => resolve("stopped"));
    this.ended = supervise(child, { ...options, stopped, stop: () => this.#stop() })
      .catch(() => ({ exitCode: null, signal: null })); // the system does not let us signal it
  }

  /**
   * Starts `request` with an open standard input. A signal that has aborted throws its reason and leaves nothing
   * running.
   *
   * @throws {ProcessError} `PROGRAM_NOT_FOUND` when the executable does not exist.
   * @throws {ProcessError} `PROGRAM_NOT_EXECUTABLE` when it may not be executed or is not a program.
   * @throws {ProcessError} `ARGUMENTS_TOO_LARGE` when the system refuses the size of the arguments.
   * @throws {ProcessError} `SPAWN_FAILED` for any other refusal of the system, of the child or of the guard.
   */
  static async start(port: ProcessPort, request: SpawnRequest, options: LiveOptions): Promise<LiveProcess> {
    const { environment, signal, guard } = options;
    signal?.throwIfAborted();
    await guard?.start();
    signal?.throwIfAborted();
    const process = new LiveProcess(await port.spawn(request, { environment, stdin: "piped" }), options);
    try {
      await guard?.watch(process.pid);
      signal?.throwIfAborted();
    } catch (error) {
      await process.end();
      throw error;
    }
    return process;
  }

  /** Feeds standard input. Resolves when it was read, to `false` when it never will be. */
  write(bytes: Uint8Array): Promise<boolean> {
    return this.#child.write(bytes);
  }

  /** Ends the group: TERM, then KILL. Resolves as {@linkcode LiveProcess.ended} does. */
  async end(): Promise<ProcessExit> {
    this.#stop();
    return await this.ended;
  }
}

/** From the start to the end of `child`, whatever brings it. */
async function supervise(
  child: ChildProcess,
  options: Omit<LiveOptions, "environment"> & {
    readonly stopped: Promise<"stopped">;
    readonly stop: () => void;
  },
): Promise<ProcessExit> {
  const { signal, guard, stopped, stop, onOutput, graceMs = 2_000, drainMs = 500 } = options;
  const tell = (stream: "stdout" | "stderr") => (chunk: Uint8Array) => onOutput?.(stream, chunk);
  const drained = Promise.all([
    // a listener that fails would otherwise leave the child waiting on a full pipe
    drain(child.stdout, tell("stdout")).catch(stop),
    drain(child.stderr, tell("stderr")).catch(stop),
  ]);
  signal?.addEventListener("abort", stop, { once: true });
  if (signal?.aborted) stop();
  try {
    const first = await Promise.race([child.exited, stopped]);
    if (first !== "stopped") await within(drained, drainMs);
    await endGroup(child, {
      graceMs: first === "stopped" ? graceMs : Math.min(graceMs, drainMs),
      reapMs: REAP_MS,
    });
    const exit = await within(child.exited, REAP_MS);
    // What a sandbox holds in a session of its own is gone when its pipes are.
    await within(drained, drainMs);
    return exit ?? { exitCode: null, signal: null };
  } finally {
    signal?.removeEventListener("abort", stop);
    child.release();
    await drained;
    await guard?.unwatch(child.pid);
  }
}

async function drain(source: AsyncIterable<Uint8Array>, tell: (chunk: Uint8Array) => void): Promise<void> {
  for await (const chunk of source) tell(chunk);
}
