/**
 * Progress of a command that runs: a sign of life, and its output as it comes where the host asked for that.
 *
 * This file decides when a notification is due and what it says. `exec_server.ts` decides whether there are any.
 *
 * @module
 */

import { Buffer } from "node:buffer";

/** `_meta` key of a request that asks for the output itself. Its value is `true`. */
export const STREAM_OUTPUT_KEY = "codex-mcp/stream-output";

/** `_meta` key of a notification that carries output: `{ stream: "stdout" | "stderr", base64 }`. */
export const OUTPUT_KEY = "codex-mcp/output";

/** Milliseconds between two signs of life of a silent command. */
const HEARTBEAT_MS = 5_000;

/** Milliseconds between two notifications about output that is not carried. */
const PAUSE_MS = 250;

/** The params of a progress notification. A type alias, for the SDK's open types. */
export type ProgressParams = {
  /** The request's own token. */
  progressToken: string | number;
  /** 1, 2, 3 and so on. */
  progress: number;
  /** For people: how long it has run and how much it wrote. */
  message: string;
  /** Output, where it is carried. */
  _meta?: { [OUTPUT_KEY]: { stream: "stdout" | "stderr"; base64: string } };
};

/** What progress is reported about, and to whom. */
export interface ProgressOptions {
  /** The request's progress token. */
  readonly token: string | number;
  /** Whether notifications carry the output. */
  readonly carriesOutput: boolean;
  /** Sends one notification, in the order of the calls. */
  readonly send: (params: ProgressParams) => void;
  /** Milliseconds between two signs of life; absent: 5,000. */
  readonly heartbeatMs?: number | undefined;
}

/** Reports on one command, from its creation to {@linkcode ProgressReporter.stop}. */
export class ProgressReporter {
  readonly #options: ProgressOptions;
  readonly #started: number = performance.now();
  readonly #timer: ReturnType<typeof setInterval>;
  #progress = 0;
  #bytes = 0;
  #lastSent = -Infinity;
  #quiet = true;

  /** Starts the signs of life. */
  constructor(options: ProgressOptions) {
    this.#options = options;
    this.#timer = setInterval(() => this.#beat(), options.heartbeatMs ?? HEARTBEAT_MS);
  }

  /** Takes note of output. `chunk` may be reused afterwards. */
  output(stream: "stdout" | "stderr", chunk: Uint8Array): void {
    this.#bytes += chunk.length;
    if (this.#options.carriesOutput) {
      const base64 = Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength).toString("base64");
      this.#send({ [OUTPUT_KEY]: { stream, base64 } });
    } else if (performance.now() - this.#lastSent >= PAUSE_MS) {
      this.#send();
    }
  }

  /** Ends the reports: none is sent from here on. */
  stop(): void {
    clearInterval(this.#timer);
  }

  #beat(): void {
    if (this.#quiet) this.#send();
    this.#quiet = true;
  }

  #send(meta?: NonNullable<ProgressParams["_meta"]>): void {
    const seconds = Math.round((performance.now() - this.#started) / 1000);
    this.#quiet = false;
    this.#lastSent = performance.now();
    this.#options.send({
      progressToken: this.#options.token,
      progress: ++this.#progress,
      message: `Running for ${seconds} s, ${this.#bytes} bytes of output`,
      ...(meta === undefined ? {} : { _meta: meta }),
    });
  }
}
