/**
 * What ends the children when the parent cannot: a watchdog that outlives it.
 *
 * This file decides how groups are made known to one `/bin/sh` and what that does at the end of its input. The
 * process port starts it; `run.ts` says which groups exist.
 *
 * What it cannot do: reach a process that left its group with `setsid`; reach a child whose parent is killed in
 * the moment between its start and `watch`; work while another program inherited the parent's end of the pipe
 * (neither Deno nor Node lets that happen); anything at all where there is no `/bin/sh`, Windows first of all:
 * that would take job objects, which neither runtime offers.
 *
 * @module
 */

import { ProcessError } from "../../core/errors.ts";
import type { ChildProcess, ProcessPort } from "../../core/ports/process.ts";
import { within } from "./end_group.ts";

/** Longer than the watchdog takes to its end, on a machine that is not stuck. */
const CLOSE_MS = 30_000;

/**
 * Reads `+ <group>` and `- <group>`; at the end of its input TERMs the groups that are left, then KILLs them after
 * two seconds or as soon as all have ended. Ids 0 and 1 would mean other processes than a group's.
 */
const SCRIPT = `
trap '' HUP INT QUIT TERM PIPE
exec >/dev/null 2>&1
groups=
while read -r sign group; do
  case $group in '' | *[!0-9]* | 0* | 1) continue ;; esac
  left=
  for each in $groups; do [ "$each" = "$group" ] || left="$left $each"; done
  case $sign in '+') groups="$left $group" ;; '-') groups=$left ;; esac
done
for each in $groups; do kill -s TERM -- "-$each"; done
rounds=20
while [ "$rounds" -gt 0 ]; do
  left=
  for each in $groups; do kill -s 0 -- "-$each" && left=1; done
  [ "$left" ] || exit 0
  sleep 0.1 || sleep 1
  rounds=$((rounds - 1))
done
for each in $groups; do kill -s KILL -- "-$each"; done
`;

/**
 * Ends process groups when their parent dies in any way, SIGKILL included. One guard serves any number of
 * children; its watchdog starts with the first, in a process group of its own, and does not keep the parent alive.
 */
export class ProcessGuard {
  readonly #processes: ProcessPort;
  readonly #watched = new Set<number>();
  #watchdog: Promise<ChildProcess | null> | null = null;

  /** Creates a guard that has not started anything. */
  constructor(processes: ProcessPort) {
    this.#processes = processes;
  }

  /**
   * Starts the watchdog ahead of the first child. Returns `true` when one runs, `false` where there is no `/bin/sh`:
   * then `watch` does nothing.
   *
   * @throws {ProcessError} `SPAWN_FAILED` when the system refuses to start it.
   */
  async start(): Promise<boolean> {
    return await this.#running() !== null;
  }

  /**
   * Puts the group led by `pid` under guard. Resolves when the watchdog's input holds it, without an answer. A
   * watchdog that has died is replaced by one that knows all the groups.
   *
   * @throws {ProcessError} `SPAWN_FAILED` when `pid` leads no group, or no watchdog can be kept running.
   */
  async watch(pid: number): Promise<void> {
    if (!Number.isSafeInteger(pid) || pid <= 1) {
      throw new ProcessError("SPAWN_FAILED", `Cannot guard process ${pid}: it leads no group`);
    }
    this.#watched.add(pid);
    for (let attempts = 2; attempts > 0; attempts--) {
      const started = this.#running();
      const child = await started;
      if (child === null || await child.write(encodeLine("+", pid))) return;
      this.#forget(started);
    }
    throw new ProcessError("SPAWN_FAILED", `Cannot guard process ${pid}: the watchdog ends by itself`);
  }

  /** Takes the group led by `pid` out again, so that its id may become another's. Never starts a watchdog. */
  async unwatch(pid: number): Promise<void> {
    if (!this.#watched.delete(pid)) return;
    const child = await this.#watchdog?.catch(() => null);
    await child?.write(encodeLine("-", pid));
  }

  /** Ends the groups that are still watched, and the watchdog. The next `watch` starts a new one. */
  async close(): Promise<void> {
    const child = await this.#watchdog?.catch(() => null);
    this.#watchdog = null;
    this.#watched.clear();
    if (child === null || child === undefined) return;
    await child.closeStdin();
    // The timer keeps the parent alive meanwhile, which the watchdog itself does not.
    await within(child.exited, CLOSE_MS);
    child.release();
  }

  /** The watchdog, started at most once at a time. */
  #running(): Promise<ChildProcess | null> {
    if (this.#watchdog !== null) return this.#watchdog;
    const started = this.#launch();
    this.#watchdog = started;
    started.then((child) => child?.exited.then(() => this.#forget(started)), () => this.#forget(started));
    return started;
  }

  #forget(started: Promise<ChildProcess | null>): void {
    if (this.#watchdog === started) this.#watchdog = null;
  }

  async #launch(): Promise<ChildProcess | null> {
    let child: ChildProcess;
    try {
      child = await this.#processes.spawn({ executable: "/bin/sh", args: ["-c", SCRIPT] }, {
        environment: { PATH: "/usr/bin:/bin" },
        directory: "/",
        stdin: "piped",
      });
    } catch (error) {
      if (error instanceof ProcessError && error.code === "PROGRAM_NOT_FOUND") return null;
      throw error;
    }
    child.unref();
    void discard(child.stdout);
    void discard(child.stderr);
    for (const pid of this.#watched) await child.write(encodeLine("+", pid));
    return child;
  }
}

function encodeLine(sign: "+" | "-", pid: number): Uint8Array {
  return new TextEncoder().encode(`${sign} ${pid}\n`);
}

/** Reads what the watchdog never writes, so that its pipes are closed when it closes them. */
async function discard(source: AsyncIterable<Uint8Array>): Promise<void> {
  for await (const _chunk of source) continue;
}
