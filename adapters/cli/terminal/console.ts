/**
 * What a command line needs of the streams of its process. `terminal.ts` decides what is written to them.
 *
 * Every runtime has the streams of Node, which can do the rest as well, and which other programs' code uses. Deno takes
 * about as long to load them as it takes to start, so that a command that needs nothing else of Node goes without.
 *
 * @module
 */

/** A stream that is written to. */
export type StreamName = "stdout" | "stderr";

/** What became of the output of this process. */
export interface OutputWatch {
  /** Resolves once everything that was written is out or has failed. */
  settle(): Promise<void>;
  /** Code of the first failure to write standard output (`"EPIPE"`, `"ENOSPC"`); `undefined`: there was none. */
  failure(): string | undefined;
}

/** The streams of this process, and the variables that say how to write to them. */
export interface CliConsole {
  /** Writes. What goes wrong is told by the watch. */
  write(name: StreamName, data: string | Uint8Array): void;
  /** Whether the stream is a terminal. */
  isTerminal(name: StreamName): boolean;
  /** A variable of this process; `undefined`: it is not set. */
  variable(name: string): string | undefined;
  /** Keeps a failure to write from ending this process, and remembers it. */
  watch(): OutputWatch;
}

/** The streams of Node, loaded when they are used first. */
export const NODE_CONSOLE: CliConsole = {
  write: (name, data) => {
    // a pipe that nobody reads is told later, a disk that is full thrown at once, by Deno
    const stream = globalThis.process[name];
    try {
      stream.write(data);
    } catch (error) {
      stream.emit("error", error);
    }
  },
  isTerminal: (name) => globalThis.process[name].isTTY === true,
  variable: (name) => globalThis.process.env[name],
  watch: () => {
    const { stdout, stderr } = globalThis.process;
    const failures = { stdout: watchStream(stdout), stderr: watchStream(stderr) };
    return {
      settle: async () => {
        await Promise.all([settled(stdout, failures.stdout), settled(stderr, failures.stderr)]);
      },
      failure: failures.stdout,
    };
  },
};

/** Gives back what asks for the code of the first failure. */
function watchStream(stream: NodeJS.WriteStream): () => string | undefined {
  let failure: string | undefined;
  stream.on("error", (error: Error & { readonly code?: string }) => {
    failure ??= error.code ?? error.name;
  });
  return () => failure;
}

/** Node tells of an error later, writes to a pipe later except on Linux, and loses what is left when it exits. */
async function settled(stream: NodeJS.WriteStream, failure: () => string | undefined): Promise<void> {
  if (failure() !== undefined) return;
  await new Promise<void>((resolve) => {
    stream.once("error", () => resolve());
    if (stream.destroyed || stream.writableLength === 0) setImmediate(resolve);
    else stream.write("", () => resolve());
  });
}
