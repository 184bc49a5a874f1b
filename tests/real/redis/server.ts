/**
 * A Redis of its own for a test: the machine's `redis-server` on a socket in a temporary folder, without any file of
 * its own, and `redis-cli` to look at everything that is in it.
 *
 * @module
 */

import { setTimeout as wait } from "node:timers/promises";
import { connectRedis, type RedisConnection } from "../../../adapters/redis/mod.ts";
import { removeFolder } from "../../fixtures/remove_folder.ts";

/** How long a busy machine may take until something answers, in milliseconds. */
const PATIENCE_MS = 30_000;

/** The answer to a command that may be sent again, as soon as there is one: a busy machine connects late. */
export async function answerOf(connection: RedisConnection, command: readonly string[]): Promise<unknown> {
  for (const began = Date.now();;) {
    try {
      return await connection.sendCommand(command);
    } catch (error) {
      if (Date.now() - began > PATIENCE_MS) throw error;
      await wait(25);
    }
  }
}

/** A running Redis. */
export class RedisServer {
  readonly #folder: string;
  readonly #args: readonly string[];
  #child: Deno.ChildProcess | null = null;

  private constructor(folder: string, args: readonly string[]) {
    this.#folder = folder;
    this.#args = args;
  }

  /** Starts one; `args` are further arguments of `redis-server`. */
  static async start(args: readonly string[] = []): Promise<RedisServer> {
    const server = new RedisServer(await Deno.makeTempDir({ prefix: "redis-" }), args);
    try {
      await server.start();
      return server;
    } catch (error) {
      await server.stop();
      throw error;
    }
  }

  /** Path of its socket. */
  get socket(): string {
    return `${this.#folder}/redis.sock`;
  }

  /** Starts it again after its end: empty. */
  async start(): Promise<void> {
    const socket = ["--port", "0", "--unixsocket", this.socket, "--unixsocketperm", "700"];
    this.#child = new Deno.Command("redis-server", {
      args: [...socket, "--dir", this.#folder, "--save", "", "--appendonly", "no", ...this.#args],
      stdin: "null",
      stdout: "null",
      stderr: "null",
    }).spawn();
    for (const began = Date.now(); Date.now() - began < PATIENCE_MS;) {
      const answer = await this.#cli(["PING"]);
      if (answer.trim() === "PONG") return;
      await wait(25);
    }
    throw new Error("Redis does not answer");
  }

  /** A connection to it, which it has answered on. */
  async connect(): Promise<RedisConnection> {
    const connection = await connectRedis({ path: this.socket });
    await answerOf(connection, ["PING"]);
    return connection;
  }

  /** Ends it at once, as a crash does. */
  async kill(): Promise<void> {
    const child = this.#child;
    this.#child = null;
    if (child === null) return;
    child.kill("SIGKILL");
    await child.status;
  }

  /** Stops it where it is, or lets it go on. */
  freeze(frozen: boolean): void {
    this.#child?.kill(frozen ? "SIGSTOP" : "SIGCONT");
  }

  /** Runs a command of Redis, and gives what `redis-cli` prints. */
  async command(...command: readonly string[]): Promise<string> {
    return (await this.#cli(command)).trimEnd();
  }

  /** Every key and its value, as `redis-cli` shows them. */
  async dump(): Promise<ReadonlyMap<string, string>> {
    const keys = (await this.#cli(["--scan"])).split("\n").filter((key) => key !== "");
    const values = await Promise.all(keys.map((key) => this.command("GET", key)));
    return new Map(keys.map((key, index) => [key, values[index] ?? ""]));
  }

  /** Ends it and takes its folder away. */
  async stop(): Promise<void> {
    await this.kill();
    await removeFolder(this.#folder);
  }

  /** Same as `stop`. */
  [Symbol.asyncDispose](): Promise<void> {
    return this.stop();
  }

  async #cli(args: readonly string[]): Promise<string> {
    const command = new Deno.Command("redis-cli", {
      args: ["-s", this.socket, ...args],
      stdin: "null",
      stderr: "null",
    });
    return new TextDecoder().decode((await command.output()).stdout);
  }
}
