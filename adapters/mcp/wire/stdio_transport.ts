/**
 * The host's end of a stdio connection, as a transport of the MCP SDK: it starts a server through a process port,
 * sends exact texts (`exact_text.ts`), and ends the server's whole process group when it is closed.
 *
 * MCP 2025-11-25 and 2026-07-28, "Transports", stdio: messages are lines of UTF-8 JSON.
 *
 * @module
 */

import type { JSONRPCMessage, Transport } from "@modelcontextprotocol/client";
import { setImmediate } from "node:timers/promises";
import type { ChildProcess, ProcessExit, ProcessPort } from "../../../core/ports/process.ts";
import type { SpawnOptions, SpawnRequest } from "../../../core/ports/process.ts";
import { endGroup, within } from "../../sandbox/end_group.ts";
import type { ProcessGuard } from "../../sandbox/guard.ts";
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
  /** Gets what the server writes to standard error, when that is not inherited; absent: nobody does. */
  readonly onDiagnostics?: ((chunk: Uint8Array) => void) | undefined;
  /** Milliseconds that it gets to end once its input is closed, and again after TERM; absent: 2,000. */
  readonly closeMs?: number | undefined;
}

/** Milliseconds in which more output of a server that has ended must come: another process may hold it open. */
const DRAIN_MS = 500;

/** A connection to one server that this host started. */
export class StdioHostTransport implements Transport {
  /** Called once when the connection is gone. */
  onclose?: () => void;
  /** Called for what goes wrong beside a request. */
  onerror?: (error: Error) => void;
  /** Called for each message. */
  onmessage?: <Message extends JSONRPCMessage>(message: Message) => void;

  readonly #exact = new ExactTexts();
  readonly #request: SpawnRequest;
  readonly #options: StdioHostOptions;
  #child: ChildProcess | undefined;
  #exit: ProcessExit | null = null;
  #ended = false;
  #lines = 0;
  #starting: Promise<void> | undefined;
  #closing: Promise<void> | undefined;

  /** Describes the server; {@linkcode StdioHostTransport.start} starts it. */
  constructor(request: SpawnRequest, options: StdioHostOptions) {
    this.#request = request;
    this.#options = options;
  }

  /** Id of the server's process; `null` before it is started. This and the next tell an SDK what it is on. */
  get pid(): number | null {
    return this.#child?.pid ?? null;
  }

  /** No stream: diagnostics go to `onDiagnostics`. */
  get stderr(): null {
    return null;
  }

  /** How the server ended; `null` while it runs. */
  get exit(): ProcessExit | null {
    return this.#exit;
  }

  /** Whether the server ended, or closed its input or output, before this end was closed. */
  get ended(): boolean {
    return this.#ended;
  }

  /** A stand-in for a JSON text that goes out exactly as it is. Throws a `SyntaxError` when it is not JSON. */
  exact(text: string): string {
    return this.#exact.placeholder(text);
  }

  /** Starts the server. Rejects with the process port's error, and when the connection is closed meanwhile. */
  async start(): Promise<void> {
    const starting = this.#start();
    this.#starting = starting.catch(() => undefined);
    await starting;
  }

  async #start(): Promise<void> {
    const { processes, guard, environment, directory, stderr, onDiagnostics } = this.#options;
    await guard?.start(); // ahead of the child, so that hardly a moment is left in which it is not watched
    this.#refuseClosed();
    const child = await processes.spawn(this.#request, {
      environment,
      ...(directory === undefined ? {} : { directory }),
      ...(stderr === undefined ? {} : { stderr }),
      stdin: "piped",
    });
    this.#child = child;
    void drain(child.stderr, onDiagnostics);
    try {
      await guard?.watch(child.pid);
    } catch (error) {
      await this.#end(child);
      throw error;
    }
    this.#refuseClosed();
    void this.#follow(child);
  }

  #refuseClosed(): void {
    if (this.#closing !== undefined) throw new Error("Cannot start the MCP server: the connection is closed");
  }

  /** Sends one message. Rejects when the server no longer reads. */
  async send(message: JSONRPCMessage): Promise<void> {
    const line = this.#exact.splice(JSON.stringify(message));
    const sent = await this.#child?.write(new TextEncoder().encode(`${line}\n`));
    if (!sent) this.#ended ||= sent === false && this.#closing === undefined;
    if (!sent) throw new Error("Cannot send to the MCP server: it no longer reads");
  }

  /** Closes the server's input, and ends its group when that is not enough. Resolves when it is gone. */
  close(): Promise<void> {
    return this.#closing ??= this.#close();
  }

  async #close(): Promise<void> {
    await this.#starting;
    if (this.#child !== undefined) await this.#end(this.#child);
    this.onclose?.();
  }

  async #end(child: ChildProcess): Promise<void> {
    const { closeMs = 2_000, guard } = this.#options;
    await within(child.closeStdin(), closeMs);
    await within(child.exited, closeMs);
    await endGroup(child, { graceMs: closeMs, reapMs: closeMs });
    child.release();
    await guard?.unwatch(child.pid);
  }

  /** Reads to the end of the output, or as long as the server lives; then the connection is over. */
  async #follow(child: ChildProcess): Promise<void> {
    const reading = this.#read(child);
    const exited = child.exited.then(async (exit) => {
      this.#exit = exit;
      // a process that it leaves behind may hold its output open for ever
      for (let lines = -1, looks = 20; lines < this.#lines && looks > 0; looks -= 1) {
        lines = this.#lines;
        await within(reading, DRAIN_MS);
      }
    });
    await Promise.race([reading, exited]);
    this.#ended ||= this.#closing === undefined;
    await this.close();
  }

  async #read(child: ChildProcess): Promise<void> {
    const lines = new LineReader(this.#options.maxMessageBytes ?? 67_108_864);
    try {
      for await (const chunk of child.stdout) {
        for (const line of lines.push(chunk)) {
          this.#lines += 1;
          this.#receive(line);
          // the SDK hands on a notification later than a response, and drops it once its request is answered
          await setImmediate();
        }
      }
    } catch (error) {
      this.onerror?.(error instanceof Error ? error : new Error("Cannot read from the MCP server"));
    }
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
async function drain(
  source: AsyncIterable<Uint8Array>,
  onChunk?: (chunk: Uint8Array) => void,
): Promise<void> {
  for await (const chunk of source) onChunk?.(chunk);
}
