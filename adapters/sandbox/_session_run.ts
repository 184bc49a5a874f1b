/**
 * One run of a session's command: what it wrote and nobody has read, what it was sent, how it is.
 *
 * This file decides how long a reader waits and how much is kept on its behalf. `live_process.ts` owns the
 * process, `session.ts` decides who may come near it.
 *
 * @module
 */

import { SessionError } from "../../core/errors.ts";
import type { ProcessExit } from "../../core/ports/process.ts";
import { LONGEST_DELAY_MS } from "../async/longest_delay.ts";
import { RecentOutput } from "./_recent_output.ts";
import type { StartedProcess } from "./session_options.ts";
import type { SessionEnd, SessionHealth, SessionOutput } from "./session_report.ts";

/** Milliseconds without output after which a reader that has got some is not kept waiting for more. */
const QUIET_MS = 50;

/** How much a run keeps. */
export interface RunLimits {
  /** Bytes kept of each output stream until they are read. */
  readonly maxOutputBytes: number;
  /** Bytes of input that may wait for the process to read them. */
  readonly maxInputBytes: number;
}

/** One run. Make it first, hand its `listen` to whoever starts the process, then give it the process. */
export class SessionRun {
  readonly #limits: RunLimits;
  readonly #stdout: RecentOutput;
  readonly #stderr: RecentOutput;
  readonly #waiting = new Set<() => void>();
  #process: StartedProcess | undefined;
  #exit: ProcessExit | undefined;
  #reason: SessionEnd = "exit";
  #input: Promise<unknown> = Promise.resolve();
  #inputBytes = 0;
  #written = 0;
  #readsInput = true;

  /** Creates a run without a process. */
  constructor(limits: RunLimits) {
    this.#limits = limits;
    this.#stdout = new RecentOutput(limits.maxOutputBytes);
    this.#stderr = new RecentOutput(limits.maxOutputBytes);
  }

  /** Takes note of output. */
  readonly listen = (stream: "stdout" | "stderr", chunk: Uint8Array): void => {
    this.#written += chunk.length;
    (stream === "stdout" ? this.#stdout : this.#stderr).append(chunk);
    this.#wake();
  };

  /** Follows `process` to its end; `onEnd` is called then. */
  follow(process: StartedProcess, onEnd: () => void): void {
    this.#process = process;
    void process.ended.then((exit) => {
      this.#exit = exit;
      this.#wake();
      onEnd();
    });
  }

  /** How it is now. Ended means that its whole tree is gone and its output complete. */
  get health(): SessionHealth {
    const exit = this.#exit;
    return exit === undefined
      ? { state: "running", exitCode: null, signal: null, endedBy: null }
      : { state: "ended", ...exit, endedBy: this.#reason };
  }

  /**
   * Hands input over, in the order of the calls, without waiting for the process to read it. Returns how many bytes
   * were written ahead of it.
   *
   * @throws {SessionError} `SESSION_ENDED` when the process has ended or closed its standard input.
   * @throws {SessionError} `SESSION_BUSY` when too much input would wait.
   */
  send(bytes: Uint8Array): number {
    const process = this.#process;
    if (process === undefined || this.#exit !== undefined || !this.#readsInput) {
      const state = this.#exit === undefined ? "its process reads no more" : "its process has ended";
      throw new SessionError("SESSION_ENDED", `Cannot send to the session: ${state}; nothing was sent.`);
    }
    const { maxInputBytes } = this.#limits;
    if (this.#inputBytes + bytes.length > maxInputBytes) {
      throw new SessionError(
        "SESSION_BUSY",
        `Cannot send ${bytes.length} bytes to the session: ${this.#inputBytes} bytes wait to be read, and at most ` +
          `${maxInputBytes} may; nothing was sent.`,
      );
    }
    this.#inputBytes += bytes.length;
    this.#input = this.#input.then(() => process.write(bytes)).then((read) => {
      this.#inputBytes -= bytes.length;
      if (!read) this.#readsInput = false;
    });
    return this.#written;
  }

  /**
   * Waits until there is output and then a pause in it, or the end; `ms` milliseconds at most. With `since`, output
   * ahead of that many bytes does not count. Rejects on abort.
   */
  async wait(
    ms: number,
    { signal, since }: { readonly signal?: AbortSignal | undefined; readonly since?: number | undefined } =
      {},
  ): Promise<void> {
    signal?.throwIfAborted();
    const deadline = performance.now() + ms;
    while (this.#exit === undefined) {
      const answered = since === undefined
        ? this.#stdout.length + this.#stderr.length > 0
        : this.#written > since;
      const left = Math.min(deadline - performance.now(), answered ? QUIET_MS : Infinity);
      if (left <= 0 || !await this.#change(left, signal)) return;
    }
  }

  /** Takes out what nobody has read. */
  take(): SessionOutput {
    const final = this.#exit !== undefined;
    const stdout = this.#stdout.take({ final });
    const stderr = this.#stderr.take({ final });
    return { stdout: stdout.text, stderr: stderr.text, droppedBytes: stdout.dropped + stderr.dropped };
  }

  /** Ends the tree, for the first reason that was given. Resolves when it is gone. */
  async end(reason: SessionEnd): Promise<void> {
    if (this.#exit !== undefined) return;
    if (this.#reason === "exit") this.#reason = reason;
    await this.#process?.end();
  }

  #wake(): void {
    for (const wake of [...this.#waiting]) wake();
  }

  /** Whether something happened within `ms` milliseconds. */
  #change(ms: number, signal: AbortSignal | undefined): Promise<boolean> {
    return new Promise((resolve, reject) => {
      const settle = (done: () => void) => (): void => {
        clearTimeout(timer);
        this.#waiting.delete(wake);
        signal?.removeEventListener("abort", abort);
        done();
      };
      const wake = settle(() => resolve(true));
      const abort = settle(() => reject(signal?.reason));
      const timer = setTimeout(settle(() => resolve(false)), Math.min(ms, LONGEST_DELAY_MS));
      this.#waiting.add(wake);
      signal?.addEventListener("abort", abort, { once: true });
    });
  }
}
