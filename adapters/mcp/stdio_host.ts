/**
 * The host's end of a stdio connection, as a transport of the MCP SDK: it starts a server through a process port,
 * sends exact texts (`exact_text.ts`), and ends the server's whole process group when it is closed.
 *
 * MCP 2025-11-25 and 2026-07-28, "Transports", stdio: messages are lines of UTF-8 JSON.
 *
 * @module
 */

import { setImmediate } from "node:timers/promises";
import type { JSONRPCMessage, Transport } from "@modelcontextprotocol/client";
import type { ChildProcess, ProcessPort, SpawnOptions, SpawnRequest } from "../../core/ports/process.ts";
import { endGroup, within } from "../sandbox/end_group.ts";
import type { ProcessGuard } from "../sandbox/guard.ts";
import { ExactTexts } from "./exact_text.ts";
import { LineReader } from "./line_reader.ts";

/** How a server is started. */
export interface StdioHostOptions extends Pick<SpawnOptions, "environment" | "directory" | "stderr"> {
  /** Starts it. */
  readonly processes: ProcessPort;
  /** Ends it when the host is killed. */
  readonly guard?: ProcessGuard | undefined;
  /** Most bytes of one message from the server; absent: 64 MiB. */
  readonly maxMessageBytes?: number | undefined;
}

/** Milliseconds that a server gets to end by itself once its input is closed. */
const CLOSE_MS = 2_000;

/** A connection to one server that this host started. */
export class StdioHostTransport implements Transport {
  /** Called once when the connection is gone. */
  onclose?: () => void;
  /** Called for what goes wrong beside a request. */
  onerror?: (error: Error) => void;
  /** Called for each message. */
  onmessage?: <Message extends JSONRPCMessage>(message: Message) => void;

  readonly #request: SpawnRequest;
  readonly #options: StdioHostOptions;
  readonly #exact = new ExactTexts();
  #child: ChildProcess | undefined;
  #closing: Promise<void> | undefined;

  /** Describes the server; {@linkcode StdioHostTransport.start} starts it. */
  constructor(request: SpawnRequest, options: StdioHostOptions) {
    this.#request = request;
    this.#options = options;
  }

  /** A stand-in for a JSON text that goes out exactly as it is. Throws a `SyntaxError` when it is not JSON. */
  exact(text: string): string {
    return this.#exact.placeholder(text);
  }

  /** Starts the server. Rejects with the process port's error. */
  async start(): Promise<void> {
    const { processes, guard, environment, directory, stderr } = this.#options;
    await guard?.start(); // ahead of the child, so that hardly a moment is left in which it is not watched
    const child = await processes.spawn(this.#request, {
      environment,
      ...(directory === undefined ? {} : { directory }),
      ...(stderr === undefined ? {} : { stderr }),
      stdin: "piped",
    });
    this.#child = child;
    await guard?.watch(child.pid);
    void this.#read(child);
    void discard(child.stderr);
  }

  /** Sends one message. Rejects when the server no longer reads. */
  async send(message: JSONRPCMessage): Promise<void> {
    const line = this.#exact.splice(JSON.stringify(message));
    const sent = await this.#child?.write(new TextEncoder().encode(`${line}\n`));
    if (!sent) throw new Error("Cannot send to the MCP server: it no longer reads");
  }

  /** Closes the server's input, and ends its group when that is not enough. Resolves when it is gone. */
  close(): Promise<void> {
    return this.#closing ??= this.#close();
  }

  async #close(): Promise<void> {
    const child = this.#child;
    if (child !== undefined) {
      await within(child.closeStdin(), CLOSE_MS);
      await within(child.exited, CLOSE_MS);
      await endGroup(child, { graceMs: CLOSE_MS, reapMs: CLOSE_MS });
      child.release();
      await this.#options.guard?.unwatch(child.pid);
    }
    this.onclose?.();
  }

  async #read(child: ChildProcess): Promise<void> {
    const lines = new LineReader(this.#options.maxMessageBytes ?? 67_108_864);
    try {
      for await (const chunk of child.stdout) {
        for (const line of lines.push(chunk)) {
          this.#receive(line);
          // the SDK hands on a notification later than a response, and drops it once its request is answered
          await setImmediate();
        }
      }
    } catch (error) {
      this.onerror?.(error instanceof Error ? error : new Error("Cannot read from the MCP server"));
    }
    await this.close();
  }

  #receive(line: string): void {
    let message: JSONRPCMessage;
    try {
      message = JSON.parse(line);
    } catch {
      this.onerror?.(new Error("Cannot read a message of the MCP server: it is not JSON"));
      return;
    }
    this.onmessage?.(message);
  }
}

/** Keeps a server that writes diagnostics from being held up by a full pipe. */
async function discard(source: AsyncIterable<Uint8Array>): Promise<void> {
  for await (const _chunk of source) continue;
}
