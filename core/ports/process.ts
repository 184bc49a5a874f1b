/**
 * The process port: what a runtime must offer so that one program can be started, read and ended.
 *
 * This file decides the shapes only. `adapters/deno/process.ts` and `adapters/node/process.ts` implement
 * them after `core/check_spawn.ts` has refused what no runtime passes on exactly; `adapters/sandbox/run.ts`
 * drives a child to its end (timeouts, caps, TERM then KILL).
 *
 * @module
 */

/** One program and its exact argument vector. No shell reads it and no `PATH` is searched. */
export interface SpawnRequest {
  /** Absolute path of the program. */
  readonly executable: string;
  /** The arguments after the program's own name, each passed on byte for byte. */
  readonly args: readonly string[];
}

/** Where and with what a program starts. */
export interface SpawnOptions {
  /** The whole environment of the child: nothing is inherited beyond these names. */
  readonly environment: Readonly<Record<string, string>>;
  /** Working directory; absent: the parent's. */
  readonly directory?: string;
  /** `"closed"` gives the child an empty standard input, `"piped"` one that {@linkcode ChildProcess.write} feeds. */
  readonly stdin: "closed" | "piped";
  /** `"piped"` (the default) is read through {@linkcode ChildProcess.stderr}; `"inherit"` is the parent's own. */
  readonly stderr?: "piped" | "inherit";
}

/** How a child ended, as the operating system said it. */
export interface ProcessExit {
  /** Exit status, or `null` when a signal ended the child. */
  readonly exitCode: number | null;
  /** Name of the signal that ended the child (`"SIGKILL"`), or `null`. */
  readonly signal: string | null;
}

/** A started child, leader of a process group of its own (on Windows: root of a tree). */
export interface ChildProcess {
  /** Process id; on Unix also the id of the process group. */
  readonly pid: number;
  /** Standard output in chunks. Read once; ends at end of file or after {@linkcode ChildProcess.release}. */
  readonly stdout: AsyncIterable<Uint8Array>;
  /** Standard error in chunks, empty when inherited. Read once. */
  readonly stderr: AsyncIterable<Uint8Array>;
  /** Settles once, when the child itself has ended, whoever still holds its pipes. Never rejects. */
  readonly exited: Promise<ProcessExit>;
  /** Feeds standard input. Resolves to `false` when the child no longer reads it (closed, or ended). */
  write(bytes: Uint8Array): Promise<boolean>;
  /** Ends standard input; harmless when it is closed already. */
  closeStdin(): Promise<void>;
  /** Signals the whole group; `false` when no process of it is left. */
  kill(signal: "SIGTERM" | "SIGKILL"): boolean;
  /**
   * Whether the group still has a process, the child itself included. After the child one that has ended and that
   * nobody reaps does not count, where the system tells. On Windows: whether the child itself still runs.
   */
  alive(): boolean;
  /** Lets the parent end on its own although the child still runs. */
  unref(): void;
  /** Lets go of the pipes, so that a grandchild which holds them cannot keep the parent reading or alive. */
  release(): void;
}

/** Starts programs. */
export interface ProcessPort {
  /**
   * Starts `request`.
   *
   * @throws {ProcessError} `PROGRAM_NOT_FOUND` when the executable does not exist.
   * @throws {ProcessError} `PROGRAM_NOT_EXECUTABLE` when it may not be executed or is not a program.
   * @throws {ProcessError} `DIRECTORY_NOT_FOUND` when the working directory does not exist.
   * @throws {ProcessError} `ARGUMENTS_TOO_LARGE` when the system refuses the size of the arguments.
   * @throws {ProcessError} `SPAWN_FAILED` for any other refusal of the system.
   */
  spawn(request: SpawnRequest, options: SpawnOptions): Promise<ChildProcess>;
}
