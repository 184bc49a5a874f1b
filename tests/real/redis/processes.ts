/**
 * Starts processes that share leases, and gives them orders.
 *
 * @module
 */

import type { EnterpriseBed } from "../../fixtures/enterprise/mod.ts";
import type { Answer, Order, ProcessSetup } from "./process.ts";

const ROOT = new URL("../../..", import.meta.url).pathname;

/** How long a process may take for one order, in milliseconds. */
const ANSWER_MS = 60_000;

/** A running process. */
export class SharingProcess {
  readonly #child: Deno.ChildProcess;
  readonly #writer: WritableStreamDefaultWriter<Uint8Array>;
  readonly #reader: ReadableStreamDefaultReader<string>;
  #rest = "";

  private constructor(child: Deno.ChildProcess) {
    this.#child = child;
    this.#writer = child.stdin.getWriter();
    this.#reader = child.stdout.pipeThrough(new TextDecoderStream() as TransformStream<Uint8Array, string>)
      .getReader();
  }

  /** Starts one. */
  static async start(
    bed: EnterpriseBed,
    setup: Omit<ProcessSetup, "bed">,
  ): Promise<SharingProcess> {
    const child = new Deno.Command(Deno.execPath(), {
      args: [
        "run",
        "-A",
        "--no-check",
        "--no-lock",
        "--config",
        `${ROOT}deno.json`,
        `${ROOT}tests/real/redis/process.ts`,
      ],
      stdin: "piped",
      stdout: "piped",
      stderr: "inherit",
    }).spawn();
    const started = new SharingProcess(child);
    const { mcp: { url, secondUrl }, as, idp } = bed;
    await started.#exchange({
      ...setup,
      bed: {
        mcp: { url, secondUrl },
        as: { issuer: as.issuer, client: as.client },
        idp: { issuer: idp.issuer, client: idp.client },
      },
    });
    return started;
  }

  /** Makes it do something. */
  async order(order: Order): Promise<Answer> {
    return JSON.parse(await this.#exchange(order)) as Answer;
  }

  /** Ends it at once. */
  async kill(): Promise<void> {
    this.#child.kill("SIGKILL");
    await this.end();
  }

  /** Ends it. */
  async end(): Promise<void> {
    await this.#writer.close().catch(() => undefined);
    await this.#child.status;
    await this.#reader.cancel().catch(() => undefined);
  }

  async #exchange(line: object): Promise<string> {
    await this.#writer.write(new TextEncoder().encode(`${JSON.stringify(line)}\n`));
    const timer = setTimeout(() => this.#child.kill("SIGKILL"), ANSWER_MS);
    try {
      while (!this.#rest.includes("\n")) {
        const { done, value } = await this.#reader.read();
        if (done) throw new Error("The process ended");
        this.#rest += value;
      }
    } finally {
      clearTimeout(timer);
    }
    const end = this.#rest.indexOf("\n");
    const answer = this.#rest.slice(0, end);
    this.#rest = this.#rest.slice(end + 1);
    return answer;
  }
}
