/**
 * A stdio connection to the server under check, without an SDK: what goes out is text, so that each byte of a
 * message is the checker's own. What is asked in which era of MCP is in `era.ts`.
 *
 * @module
 */

import { isJsonObject, ownProperty } from "../../../core/json/value.ts";
import type { ChildProcess, ProcessPort, SpawnRequest } from "../../../core/ports/process.ts";
import { LineReader } from "../../mcp/wire/line_reader.ts";
import { endGroup, within } from "../../sandbox/end_group.ts";
import type { ProcessGuard } from "../../sandbox/guard.ts";

/** With what a server is started. */
export interface ConnectionOptions {
  /** Starts it. */
  readonly processes: ProcessPort;
  /** Ends it when this process is killed. */
  readonly guard: ProcessGuard;
  /** Its whole environment. */
  readonly environment: Readonly<Record<string, string>>;
  /** Milliseconds that an answer may take. */
  readonly timeoutMs: number;
}

/** An answer: the result, or the error's code and message. */
export type Reply =
  | { readonly result: unknown; readonly error?: never }
  | { readonly result?: never; readonly error: unknown };

/** The server did not answer: it ended, or took too long. The message says which. */
export class NoAnswer extends Error {
  /** Survives minification. */
  override readonly name = "NoAnswer";
}

/** Milliseconds that a server gets to end by itself once its input is closed, and again after TERM. */
const CLOSE_MS = 1_000;

/** Characters of the server's diagnostics that are kept. */
const DIAGNOSTICS = 2_000;

/** A line that says what is wrong: a runtime writes its version, or where it happened, behind that. */
const TROUBLE = /\w*error\b[^:]{0,30}:|\[[A-Z][A-Z0-9]*_[A-Z0-9_]+\]/i;

/** Lines of diagnostics that are told where none of them looks like an error. */
const LAST_LINES = 3;

/** Lines that are no message, and characters in them, after which no message is expected any more. */
const JUNK_LINES = 1_000;
const JUNK_LENGTH = 1_048_576;

/** Messages that answer nothing, after which no answer is expected any more. */
const STRAY_MESSAGES = 10_000;

/** One running server. */
export class Connection {
  readonly #child: ChildProcess;
  readonly #options: ConnectionOptions;
  readonly #waiting = new Map<number, (reply: Reply) => void>();
  readonly #ended: Promise<void>;
  #diagnostics = "";
  readonly #junk = { lines: 0, length: 0, strays: 0 };
  #unreadable: string | undefined;
  #lastId = 0;
  #closing: Promise<void> | undefined;

  private constructor(child: ChildProcess, options: ConnectionOptions) {
    this.#child = child;
    this.#options = options;
    void this.#keepDiagnostics();
    this.#ended = this.#read();
  }

  /** Starts the server. Rejects with the process port's error. */
  static async open(server: SpawnRequest, options: ConnectionOptions): Promise<Connection> {
    const { processes, environment, guard } = options;
    const child = await processes.spawn(server, { environment, stdin: "piped" });
    await guard.watch(child.pid);
    return new Connection(child, options);
  }

  /** Asks, with `params` as a JSON text, and waits for the answer. Rejects with {@linkcode NoAnswer}. */
  async request(method: string, params: string): Promise<Reply> {
    const id = ++this.#lastId;
    const answered = new Promise<Reply>((resolve) => this.#waiting.set(id, resolve));
    const gone = this.#ended.then((): Reply => {
      throw new NoAnswer(
        this.#unreadable ?? `the server ended without an answer to ${method}${this.#lastWords()}`,
      );
    });
    gone.catch(() => undefined);
    void this.#send(`{"jsonrpc":"2.0","id":${id},"method":${JSON.stringify(method)},"params":${params}}`);
    const { timeoutMs } = this.#options;
    const reply = await within(Promise.race([answered, gone]), timeoutMs);
    if (reply !== undefined) return reply;
    this.#child.kill("SIGKILL");
    throw new NoAnswer(`no answer to ${method} within ${timeoutMs / 1000} s${this.#lastWords()}`);
  }

  /** Tells, with `params` as a JSON text. */
  async notify(method: string, params: string): Promise<void> {
    await this.#send(`{"jsonrpc":"2.0","method":${JSON.stringify(method)},"params":${params}}`);
  }

  /** Closes the server's input and ends its group. Resolves when it is gone. */
  close(): Promise<void> {
    return this.#closing ??= this.#close();
  }

  async #close(): Promise<void> {
    const child = this.#child;
    await within(child.closeStdin(), CLOSE_MS);
    await within(child.exited, CLOSE_MS);
    await endGroup(child, { graceMs: CLOSE_MS, reapMs: CLOSE_MS });
    child.release();
    await this.#options.guard.unwatch(child.pid);
  }

  async #send(message: string): Promise<void> {
    await this.#child.write(new TextEncoder().encode(`${message}\n`));
  }

  async #read(): Promise<void> {
    const lines = new LineReader(67_108_864);
    try {
      for await (const chunk of this.#child.stdout) {
        for (const line of lines.push(chunk)) {
          this.#receive(line);
          if (this.#unreadable !== undefined) return void this.#child.kill("SIGKILL");
        }
      }
    } catch (error) {
      // a line that is no UTF-8, or endless: nothing after it can be read
      this.#unreadable = `the server's standard output cannot be read: ${messageOf(error)}`;
      this.#child.kill("SIGKILL");
    }
  }

  #receive(line: string): void {
    const message = /^\s*\{/.test(line) ? parse(line) : undefined;
    if (!isJsonObject(message)) return this.#countJunk(line);
    const id = ownProperty(message, "id");
    const waiting = typeof id === "number" ? this.#waiting.get(id) : undefined;
    if (waiting === undefined && ++this.#junk.strays >= STRAY_MESSAGES) {
      this.#unreadable = `the server sends messages without end that answer nothing, such as ${sample(line)}`;
    }
    if (typeof ownProperty(message, "method") === "string") {
      if (id === undefined) return;
      const answer = ownProperty(message, "method") === "ping"
        ? `"result":{}`
        : `"error":{"code":-32601,"message":"Method not found"}`;
      void this.#send(`{"jsonrpc":"2.0","id":${JSON.stringify(id)},${answer}}`);
    } else if (waiting !== undefined) {
      const error = ownProperty(message, "error");
      waiting(error === undefined ? { result: ownProperty(message, "result") } : { error });
      this.#waiting.delete(Number(id));
    }
  }

  #countJunk(line: string): void {
    this.#junk.lines++;
    this.#junk.length += line.length;
    if (this.#junk.lines < JUNK_LINES && this.#junk.length < JUNK_LENGTH) return;
    this.#unreadable = "the server floods its standard output with what is no message, such as " +
      `${sample(line)}: only messages belong there`;
  }

  async #keepDiagnostics(): Promise<void> {
    const decoder = new TextDecoder();
    for await (const chunk of this.#child.stderr) {
      const end = chunk.subarray(-4 * DIAGNOSTICS);
      this.#diagnostics = (this.#diagnostics + decoder.decode(end, { stream: true })).slice(-DIAGNOSTICS);
    }
  }

  #lastWords(): string {
    const lines = this.#diagnostics.split("\n").map((line) => line.trim()).filter((line) => line !== "");
    const line = lines.find((one) => TROUBLE.test(one)) ?? lines.slice(-LAST_LINES).join(" | ");
    return line === "" ? "" : `; it said ${JSON.stringify(line.slice(0, 200))}`;
  }
}

function sample(line: string): string {
  return JSON.stringify(line.length > 60 ? `${line.slice(0, 60)}…` : line);
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

/** What is no JSON is no message; a server must not write it, and it answers nothing. */
function parse(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return undefined;
  }
}
