/**
 * Standard input as a stream that an SDK's stdio transport can read instead of it, with the source texts of the
 * states put aside. `exact_input.ts` decides what goes on; this file moves it, no faster than it is read.
 *
 * It needs `node:stream`, which Deno has as well; so it is exported from `./deno` and `./node`.
 *
 * @module
 */

import { Buffer } from "node:buffer";
import process from "node:process";
import { Readable, type Writable } from "node:stream";
import type { SourceTexts } from "./authority_of.ts";
import { ExactInput, type ExactInputOptions, type ReadInput } from "./exact_input.ts";

/** What is wrapped, and how. */
export interface ExactStdinOptions extends ExactInputOptions {
  /** What is read; absent: this process's standard input. */
  readonly stdin?: Readable | undefined;
  /** Where refused requests are answered; absent: this process's standard output. */
  readonly stdout?: Pick<Writable, "write"> | undefined;
}

/** Standard input, wrapped. */
export interface ExactStdin {
  /**
   * What the SDK reads. Every chunk is a `Buffer` with one whole message and its line end; pausing it pauses what is
   * wrapped.
   */
  readonly stdin: Readable;
  /** The source texts of a request; see {@linkcode ExactInput.sourceTexts}. */
  readonly sourceTexts: (requestId: string | number) => SourceTexts;
}

/**
 * Wraps standard input, so that the states of calls are forwarded exactly as they came. Give `stdin` to the SDK's
 * `StdioServerTransport`, and `sourceTexts` to `withAuthority` or `authorityOf`. Nothing is read before somebody
 * reads `stdin`.
 *
 * Messages reach the SDK byte for byte, or not at all: see {@linkcode ExactInput}. A message of more than
 * `maxMessageBytes` ends the stream with a `RangeError`.
 *
 * @example
 * ```ts
 * import { Readable } from "node:stream";
 * import { exactStdin } from "@codex-mcp/runtime/deno";
 *
 * const line = '{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"run","_meta":' +
 *   '{"codex/sandbox-state":{"limit":9007199254740993}}}}\n';
 * const { stdin, sourceTexts } = exactStdin({ stdin: Readable.from([new TextEncoder().encode(line)]) });
 * for await (const message of stdin) console.log(JSON.parse(message).params._meta); // …limit: 9007199254740992
 * console.log(sourceTexts(1).stateText); // {"limit":9007199254740993}
 * ```
 */
export function exactStdin(options: ExactStdinOptions = {}): ExactStdin {
  const { stdin: source = process.stdin, stdout = process.stdout } = options;
  const input = new ExactInput(options);
  const take = (read: () => ReadInput): void => {
    try {
      const { messages, replies } = read();
      for (const reply of replies) stdout.write(`${reply}\n`);
      for (const { buffer, byteOffset, byteLength } of messages) {
        if (!stdin.push(Buffer.from(buffer, byteOffset, byteLength))) source.pause();
      }
    } catch (error) {
      stdin.destroy(error instanceof Error ? error : undefined);
    }
  };
  const onData = (chunk: Uint8Array): void => take(() => input.push(chunk));
  const onEnd = (): void => {
    take(() => input.end());
    stdin.push(null);
  };
  const onError = (error: Error): void => void stdin.destroy(error);
  const onClose = (): void => void (stdin.readableEnded || source.readableEnded || stdin.destroy());
  let started = false;
  let paused = false;
  const stdin = new Readable({
    objectMode: true, // keeps messages apart, however it is read
    highWaterMark: 1,
    read: () => {
      if (!started) source.on("data", onData).on("end", onEnd).on("error", onError).on("close", onClose);
      started = true;
      if (!paused) source.resume();
    },
    destroy: (error, done) => {
      source.off("data", onData).off("end", onEnd).off("error", onError).off("close", onClose);
      source.pause();
      done(error);
    },
  });
  // a source that goes on flowing would keep the process alive
  stdin.on("pause", () => {
    paused = true;
    source.pause();
  });
  stdin.on("resume", () => {
    paused = false;
    source.resume();
  });
  return { stdin, sourceTexts: input.sourceTexts };
}
