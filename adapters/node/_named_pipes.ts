/**
 * Pipes for the standard streams of a child on Linux.
 *
 * Node gives a child sockets. A child that is Node too asks the system what they are, which a sandbox that closes the
 * network forbids; it then takes them for nothing, drops all that it writes and reads an end (tried with Codex CLI
 * 0.171.0 and Node 20, 22 and 24). A pipe it knows without asking. Node cannot make one, so this file opens both ends
 * of a named one, which has lost its name again before the child starts.
 *
 * `process.ts` starts the child with them.
 *
 * @module
 */

import { execFile } from "node:child_process";
import { close, constants, open } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import { promisify } from "node:util";

/** Which way the bytes go: what the child reads, or what it writes. */
export type PipeDirection = "in" | "out";

/** A pipe between a child and this process. */
export interface ChildPipe {
  /** Descriptor for the child, to be closed here once the child has its own. */
  readonly childEnd: number;
  /** This process's end. */
  readonly stream: Socket;
}

/** Where `mkfifo` lies: no `PATH` of others is asked. */
const PROGRAMS = { PATH: "/usr/bin:/bin:/run/current-system/sw/bin" };

const { O_NONBLOCK, O_RDONLY, O_WRONLY } = constants;

const openEnd = promisify(open);

/**
 * Opens a pipe for each direction, none for `null`. Opens none at all on another system, in a runtime that only passes
 * for Node, and without a temporary folder or `mkfifo`: then the runtime's own have to do.
 */
export async function openNamedPipes(
  directions: readonly (PipeDirection | null)[],
): Promise<readonly (ChildPipe | null)[]> {
  if (process.platform !== "linux" || !isNodeItself()) return directions.map(() => null);
  const pairs: (readonly [number, number] | null)[] = [];
  let folder: string | null = null;
  try {
    folder = await mkdtemp(join(tmpdir(), "codex-mcp-pipes-"));
    const place = folder;
    const named = directions.map((direction, index) => [join(place, String(index)), direction] as const);
    const paths = named.flatMap(([path, direction]) => direction === null ? [] : [path]);
    await promisify(execFile)("mkfifo", ["-m", "600", ...paths], { env: PROGRAMS });
    for (const [path, direction] of named) {
      pairs.push(direction === null ? null : await openBoth(path, direction));
    }
  } catch {
    closeEnds(pairs.flatMap((pair) => pair ?? []));
    return directions.map(() => null);
  } finally {
    if (folder !== null) await rm(folder, { recursive: true, force: true });
  }
  return pairs.map((pair, index) => {
    if (pair === null) return null;
    const [childEnd, fd] = pair;
    const readable = directions[index] === "out";
    return { childEnd, stream: new Socket({ fd, readable, writable: !readable }) };
  });
}

/** Deno gives its children pipes anyway. Bun has sockets too, and reads none of these pipes (tried with 1.4.5). */
function isNodeItself(): boolean {
  return !("deno" in process.versions || "bun" in process.versions);
}

/** The child's end, which blocks as programs expect it, and this process's own, which must not. */
async function openBoth(path: string, direction: PipeDirection): Promise<readonly [number, number]> {
  const reader = await openEnd(path, O_RDONLY | O_NONBLOCK); // alone this does not wait for the other end
  if (direction === "out") return [await openEnd(path, O_WRONLY), reader];
  const writer = await openEnd(path, O_WRONLY | O_NONBLOCK);
  const blocking = await openEnd(path, O_RDONLY);
  closeEnds([reader]);
  return [blocking, writer];
}

/** Closes descriptors that nobody needs here any more. */
export function closeEnds(ends: readonly number[]): void {
  for (const end of ends) close(end, () => {}); // what does not close is closed already
}
