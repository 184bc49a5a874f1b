/**
 * Stand-ins for `codex`: executables that answer the launcher's probe, write down how they were started, and become
 * the command after `--`. There is no sandbox in them; what is checked is who starts them, and with what.
 *
 * Records are exact for bytes: each argument is followed by NUL. `bench.ts` decides which calls they belong to.
 *
 * @module
 */

import { chmod, mkdir, mkdtemp, readdir, readFile, realpath, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";

/** One start of a stand-in. */
export interface Launch {
  /** Name of the stand-in, as it was given to {@linkcode Recorder.place}. */
  readonly by: string;
  /** Working directory, without symbolic links. */
  readonly directory: string;
  /** Arguments after the program's own name. What is not UTF-8 holds U+FFFD. */
  readonly args: readonly string[];
}

/** Where a stand-in lies, and what it does besides recording. */
export interface StandIn {
  /** Path below the recorder's folder. */
  readonly path: string;
  /** Whether being probed is recorded too: for what must not be started at all. */
  readonly recordsProbe?: boolean;
  /** Absolute path of a program that it becomes with its own arguments; absent: the command after `--`. */
  readonly becomes?: string;
  /** The status with which it ends, or that it is killed, like a sandbox that cannot be set up; nothing runs then. */
  readonly fails?: number | "killed";
}

/** A folder with stand-ins and their records. */
export interface Recorder {
  /** Its real path. */
  readonly folder: string;
  /** Puts a stand-in there and gives back its absolute path. */
  place(by: string, standIn: StandIn): Promise<string>;
  /** The starts since the last time, which are forgotten then. */
  take(): Promise<readonly Launch[]>;
  /** Removes the folder. */
  remove(): Promise<void>;
}

/** Ends each record, so that one which is still being written is not taken. */
const END = "end";

/** What a stand-in that fails says, in words that a server could take for a reason to do without. */
const SETUP_FAILED = "codex sandbox: set-up failed: bwrap: No permissions to create new namespace; " +
  "Landlock is not available: Operation not permitted";

/** Creates a recorder in a new temporary folder. */
export async function createRecorder(): Promise<Recorder> {
  const folder = await realpath(await mkdtemp(join(tmpdir(), "codex-mcp-check-")));
  const records = join(folder, "records");
  await mkdir(records);
  return {
    folder,
    place: async (by, standIn) => {
      const path = join(folder, standIn.path);
      await mkdir(dirname(path), { recursive: true });
      await writeFile(path, script(join(records, by), standIn));
      await chmod(path, 0o755);
      return path;
    },
    take: async () => {
      const launches: Launch[] = [];
      for (const name of (await readdir(records)).sort()) {
        const path = join(records, name);
        const [directory = "", ...args] = (await readFile(path, "utf8")).split("\0").slice(0, -1);
        if (args.pop() !== END) continue;
        await rm(path);
        launches.push({ by: name.slice(0, name.lastIndexOf(".")), directory, args });
      }
      return launches;
    },
    remove: async () => await rm(folder, { recursive: true, force: true }),
  };
}

/** Shell built-ins alone: the environment of a stand-in is the server's to choose. */
function script(record: string, { recordsProbe = false, becomes, fails }: StandIn): string {
  const probed = `[ "$#/$1/$2/$3/$4" = '4/sandbox/--sandbox-state-json/{}/--help' ]`;
  const run = fails !== undefined
    ? `printf '%s\\n' ${quoted(SETUP_FAILED)} >&2
${fails === "killed" ? `kill -s KILL "$$"` : `exit ${fails}`}`
    : becomes === undefined
    ? `while [ "$#" -gt 0 ]; do
  word=$1
  shift
  [ "$word" = -- ] && exec "$@"
done
exit 64`
    : `exec ${quoted(becomes)} "$@"`;
  return `#!/bin/sh
${recordsProbe ? "" : `${probed} && exit 0\n`}printf '%s\\0' "$(pwd -P)" "$@" ${END} > ${quoted(record)}.$$
${recordsProbe ? `${probed} && exit 0\n` : ""}${run}
`;
}

function quoted(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}
