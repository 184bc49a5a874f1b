/**
 * A relay: a server's stdio, passed on as the bytes that it is. What the server advertises and what the host sends
 * stays theirs, so the sandbox capability is offered upstream exactly when the server offers it, and no authority
 * begins here.
 *
 * This file decides the order and the end. `launcher_cut.ts` decides what may not leave this machine.
 *
 * @module
 */

import type {
  ChildProcess,
  ProcessExit,
  ProcessPort,
  SpawnOptions,
  SpawnRequest,
} from "../../../core/ports/process.ts";
import { endGroup, within } from "../../sandbox/end_group.ts";
import type { ProcessGuard } from "../../sandbox/guard.ts";
import { ByteLines } from "../wire/byte_lines.ts";
import { cutLauncher } from "./launcher_cut.ts";

/** Both ends of a relay. */
export interface RelayOptions extends Pick<SpawnOptions, "environment" | "directory" | "stderr"> {
  /** Starts the server. */
  readonly processes: ProcessPort;
  /** Ends it when this process is killed. */
  readonly guard?: ProcessGuard | undefined;
  /** What the host sends, in chunks of any size. The next one is taken when the server has the last. */
  readonly input: AsyncIterable<Uint8Array>;
  /** Sends to the host. The next chunk waits until it resolves; `false`: the host no longer reads. */
  readonly output: (bytes: Uint8Array) => Promise<boolean>;
  /** Whether the server works on another machine: then the launcher is taken out of each call. Absent: `false`. */
  readonly remote?: boolean | undefined;
  /** Most bytes of one message from the host to a remote server; absent: 64 MiB. Otherwise there is no limit. */
  readonly maxMessageBytes?: number | undefined;
  /** Ends the relay. */
  readonly signal?: AbortSignal | undefined;
  /** Milliseconds that the server gets to end by itself, then after TERM; absent: 2,000. */
  readonly closeMs?: number | undefined;
}

/** What goes from the server to the host. */
interface Downstream {
  /** Settles at the end of the server's output, or when the host no longer reads. Never rejects. */
  readonly done: Promise<void>;
  /** Whether the host has not yet taken the last chunk. */
  isWaiting(): boolean;
}

/**
 * Starts `server` and passes everything on in both directions until one end goes: the host's input ends, it no
 * longer reads, the server ends or closes its output, or `signal` comes. Then the server's input is closed, what it
 * still writes is passed on, and its process group is ended. Gives back how the server ended.
 *
 * Every byte is passed on as it came; only with `remote` is the launcher cut out of calls. A message that cannot be
 * searched for it is not passed on: the relay ends, so that the host does not wait for an answer.
 *
 * Rejects with the process port's error when the server cannot be started, and with a `RangeError` for a message
 * that is too long.
 *
 * @throws {JsonError} `JSON_MALFORMED` when a message to a remote server cannot be searched for a launcher.
 */
export async function relayStdio(server: SpawnRequest, options: RelayOptions): Promise<ProcessExit> {
  const { processes, guard, environment, directory, stderr, signal, closeMs = 2_000 } = options;
  await guard?.start(); // ahead of the child, so that hardly a moment is left in which it is not watched
  const child = await processes.spawn(server, {
    environment,
    ...(directory === undefined ? {} : { directory }),
    ...(stderr === undefined ? {} : { stderr }),
    stdin: "piped",
  });
  try {
    await guard?.watch(child.pid);
    const aborted = new Promise<void>((resolve) => {
      if (signal?.aborted) resolve();
      signal?.addEventListener("abort", () => resolve(), { once: true });
    });
    const downstream = passOutput(child, options.output);
    const diagnostics = discard(child.stderr);
    const upstream = passInput(child, options);
    const settle = async (event: Promise<unknown>): Promise<void> => {
      const over = Promise.race([event, aborted]).then(() => true);
      while (!await within(over, closeMs) && downstream.isWaiting());
    };
    try {
      await Promise.race([upstream, downstream.done, child.exited, aborted]);
    } finally {
      upstream.catch(() => undefined); // what comes after the end is nobody's message any more
      await within(child.closeStdin(), closeMs);
      await settle(child.exited);
      await endGroup(child, { graceMs: closeMs, reapMs: closeMs });
      await settle(downstream.done);
      await within(diagnostics, closeMs);
    }
    return await child.exited;
  } finally {
    if (child.alive()) child.kill("SIGKILL");
    child.release();
    await guard?.unwatch(child.pid);
  }
}

/** Resolves when the input ends or the server no longer reads. */
async function passInput(child: ChildProcess, options: RelayOptions): Promise<void> {
  const { input, remote = false, maxMessageBytes = 67_108_864 } = options;
  const lines = new ByteLines(maxMessageBytes);
  for await (const chunk of input) {
    for (const part of remote ? lines.push(chunk) : [chunk]) {
      if (!await child.write(remote ? cutLauncher(part) : part)) return;
    }
  }
  const rest = lines.rest();
  if (rest.length > 0) await child.write(cutLauncher(rest));
}

function passOutput(child: ChildProcess, output: RelayOptions["output"]): Downstream {
  let waiting = false;
  const pass = async (): Promise<void> => {
    for await (const chunk of child.stdout) {
      waiting = true;
      const taken = await output(chunk).catch(() => false);
      waiting = false;
      if (!taken) return;
    }
  };
  return { done: pass(), isWaiting: () => waiting };
}

/** Keeps a server that writes diagnostics from being held up by a full pipe. */
async function discard(source: AsyncIterable<Uint8Array>): Promise<void> {
  for await (const _chunk of source) continue;
}
