/**
 * One child from its start to its certain end: fed, read, capped, timed, cancelled, cleaned up after.
 *
 * This file decides when a child has to end and what of its output is kept. `end_group.ts` ends
 * the group, `guard.ts` covers the death of the parent itself, the process port does the rest.
 * Web APIs only: it runs wherever a process port exists.
 *
 * @module
 */

import type { ChildProcess, ProcessPort, SpawnRequest } from "../../core/ports/process.ts";
import { LONGEST_DELAY_MS } from "../async/longest_delay.ts";
import { OutputBuffer } from "./_output.ts";
import { endGroup, within } from "./end_group.ts";
import type { ProcessGuard } from "./guard.ts";

/** Bytes of standard input that are handed over at once. */
const FEED_BYTES = 65_536;

/** Milliseconds after KILL in which the exit of the child has to be reported. */
const REAP_MS = 2_000;

/** With what a child runs, and for how long. */
export interface RunOptions {
  /** The whole environment of the child. */
  readonly environment: Readonly<Record<string, string>>;
  /** Working directory; absent: the parent's. */
  readonly directory?: string;
  /** Standard input, followed by its end; absent: closed from the start. */
  readonly stdin?: Uint8Array;
  /** Ends the child when it aborts. */
  readonly signal?: AbortSignal;
  /** Milliseconds after which the child is ended; absent: no limit. */
  readonly timeoutMs?: number;
  /** Milliseconds from TERM to KILL; absent: 2000. */
  readonly graceMs?: number;
  /** Milliseconds that a process which outlives the child may go on using its pipes; absent: 500. */
  readonly drainMs?: number;
  /** Bytes kept of each stream; what comes after them is read and dropped. */
  readonly maxOutputBytes: number;
  /** Told of every chunk that is kept, as it comes. The chunk may be reused after the call returns. */
  readonly onOutput?: (stream: "stdout" | "stderr", chunk: Uint8Array) => void;
  /** Ends the group when the parent is killed; absent: an orphan can survive that. */
  readonly guard?: ProcessGuard;
}

/** How a child ended and what it wrote. Nothing is inferred from the text. */
export interface ProcessOutcome {
  /** Raw exit status; `null` when a signal ended the child, or when it could not be ended at all. */
  readonly exitCode: number | null;
  /** Name of the signal that ended the child, or `null`. */
  readonly signal: string | null;
  /** First bytes of standard output. */
  readonly stdout: Uint8Array;
  /** First bytes of standard error. */
  readonly stderr: Uint8Array;
  /** Whether bytes are missing: beyond the cap, or because a process outside the group kept a pipe open. */
  readonly truncated: boolean;
  /** Whether the time limit ended the child. */
  readonly timedOut: boolean;
  /** Whether the signal ended the child. */
  readonly cancelled: boolean;
}

/** Why a child was not left to end by itself. */
type StopReason = "timeout" | "cancel" | "failure";

/**
 * Runs one program to its end. When this resolves or rejects, no process of the child's group is left (except as
 * `endGroup` says), its pipes are closed, and neither a timer nor a listener remains. On time limit and cancel:
 * TERM to the group, then KILL. After an exit of its own: the pipes are read for `drainMs` at most, then what is
 * left of the group gets TERM and, `drainMs` later, KILL.
 *
 * A signal that has aborted before the start throws its own reason, and nothing is started. What `onOutput`
 * throws ends the child and is thrown.
 *
 * @throws {ProcessError} `PROGRAM_NOT_FOUND` when the executable does not exist.
 * @throws {ProcessError} `PROGRAM_NOT_EXECUTABLE` when it may not be executed or is not a program.
 * @throws {ProcessError} `DIRECTORY_NOT_FOUND` when the working directory does not exist.
 * @throws {ProcessError} `ARGUMENTS_TOO_LARGE` when the system refuses the size of the arguments.
 * @throws {ProcessError} `SPAWN_FAILED` for any other refusal of the system, of the child or of the guard.
 */
export async function runProcess(
  port: ProcessPort,
  request: SpawnRequest,
  options: RunOptions,
): Promise<ProcessOutcome> {
  const { environment, directory, stdin, signal, guard, graceMs = 2_000, drainMs = 500 } = options;
  signal?.throwIfAborted();
  await guard?.start();
  signal?.throwIfAborted();
  const child = await port.spawn(request, {
    environment,
    ...(directory === undefined ? {} : { directory }),
    stdin: stdin === undefined ? "closed" : "piped",
  });

  let stop: (reason: StopReason) => void = () => {};
  const stopped = new Promise<StopReason>((resolve) => stop = resolve);
  let failure: { readonly error: unknown } | undefined;
  const fail = (error: unknown): void => {
    failure ??= { error };
    stop("failure");
  };
  const cancel = (): void => stop("cancel");
  signal?.addEventListener("abort", cancel, { once: true });
  if (signal?.aborted) cancel();
  const timer = options.timeoutMs === undefined
    ? undefined
    : setTimeout(() => stop("timeout"), Math.min(options.timeoutMs, LONGEST_DELAY_MS));

  const stdout = new OutputBuffer(options.maxOutputBytes);
  const stderr = new OutputBuffer(options.maxOutputBytes);
  const { onOutput } = options;
  const drained = Promise.all([
    collect(child.stdout, { output: stdout, tell: (chunk) => onOutput?.("stdout", chunk), fail }).catch(fail),
    collect(child.stderr, { output: stderr, tell: (chunk) => onOutput?.("stderr", chunk), fail }).catch(fail),
  ]).then(() => true as const);
  const fed = stdin === undefined ? Promise.resolve() : feed(child, stdin).catch(fail);
  const watched = guard?.watch(child.pid).catch(fail);

  try {
    const reason = await Promise.race([child.exited.then(() => null), stopped]);
    if (reason === null) {
      await within(drained, drainMs);
      await endGroup(child, { graceMs: Math.min(graceMs, drainMs), reapMs: REAP_MS });
    } else {
      await endGroup(child, { graceMs, reapMs: REAP_MS });
    }
    const exit = await within(child.exited, REAP_MS);
    const complete = await within(drained, drainMs);
    if (failure !== undefined) throw failure.error;
    return {
      exitCode: exit?.exitCode ?? null,
      signal: exit?.signal ?? null,
      stdout: stdout.read(),
      stderr: stderr.read(),
      truncated: stdout.truncated || stderr.truncated || complete === undefined,
      timedOut: reason === "timeout",
      cancelled: reason === "cancel",
    };
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener("abort", cancel);
    child.release();
    await Promise.all([drained, fed, watched]);
    await guard?.unwatch(child.pid);
  }
}

/** Reads `source` to its end, whatever the cap and whatever `tell` does. */
async function collect(
  source: AsyncIterable<Uint8Array>,
  { output, tell, fail }: {
    readonly output: OutputBuffer;
    readonly tell: (chunk: Uint8Array) => void;
    readonly fail: (error: unknown) => void;
  },
): Promise<void> {
  let told = true;
  for await (const chunk of source) {
    const kept = output.append(chunk);
    if (!told || kept.length === 0) continue;
    try {
      tell(kept);
    } catch (error) {
      told = false;
      fail(error);
    }
  }
}

/** Writes `bytes` as fast as the child reads them, then the end. A child that reads none of it is no error. */
async function feed(child: ChildProcess, bytes: Uint8Array): Promise<void> {
  for (let from = 0; from < bytes.length; from += FEED_BYTES) {
    if (!await child.write(bytes.subarray(from, from + FEED_BYTES))) break;
  }
  await child.closeStdin();
}
