/**
 * The lease store over Redis 6.2 or later, or a server that speaks like it (Valkey): one text a key, which Redis itself
 * ends. Compare-and-change is one step in Redis; nothing waits there.
 *
 * What it implements is decided in `core/ports/lease_store.ts`. It works with any client that sends commands:
 * node-redis as it is, another one with a line around it. `connect_redis.ts` makes one that suits it.
 *
 * @module
 */

import type { LeaseChange, LeaseStore } from "../../core/ports/lease_store.ts";
import { unlessAborted } from "../async/unless_aborted.ts";

/** What is used of a client of Redis. */
export interface RedisCommands {
  /** Sends one command, and gives its answer; texts as strings. */
  sendCommand(command: readonly string[]): Promise<unknown>;
}

/** How leases are kept in Redis. */
export interface RedisLeaseStoreOptions {
  /** The client. It stays its owner's to close. */
  readonly client: RedisCommands;
  /** What every key begins with; default `codex-mcp:lease:`. */
  readonly prefix?: string | undefined;
}

const DEFAULT_PREFIX = "codex-mcp:lease:";

/** Replaces the value if it is the expected one. KEYS: the key. ARGV: expected, next, milliseconds. */
const REPLACE = `
if redis.call("GET", KEYS[1]) ~= ARGV[1] then return 0 end
redis.call("SET", KEYS[1], ARGV[2], "PX", ARGV[3])
return 1`;

/** Deletes the value if it is the expected one. KEYS: the key. ARGV: expected. */
const DELETE = `
if redis.call("GET", KEYS[1]) ~= ARGV[1] then return 0 end
return redis.call("DEL", KEYS[1])`;

/**
 * Keeps leases in Redis.
 *
 * @example
 * ```ts
 * import { connectRedis, RedisLeaseStore } from "@codex-mcp/runtime/redis";
 * import { openSharedLeases } from "@codex-mcp/runtime/http/tokens";
 *
 * async function open(url: string, key: string) {
 *   const client = await connectRedis({ url }); // or a client of node-redis of your own
 *   return await openSharedLeases({ store: new RedisLeaseStore({ client }), keys: [key] });
 * }
 *
 * console.log(typeof open); // function
 * ```
 */
export class RedisLeaseStore implements LeaseStore {
  readonly #client: RedisCommands;
  readonly #prefix: string;

  /** Sends nothing yet. */
  constructor({ client, prefix = DEFAULT_PREFIX }: RedisLeaseStoreOptions) {
    this.#client = client;
    this.#prefix = prefix;
  }

  /**
   * The text under `name`; `null`: there is none, or its time is over. Rejects as the client does, when the answer is
   * no text, and when `signal` is aborted: then Redis may still be asked.
   */
  async read(name: string, signal: AbortSignal): Promise<string | null> {
    const answer = await this.#send(["GET", this.#prefix + name], signal);
    if (answer === null || typeof answer === "string") return answer;
    throw new TypeError("Redis answered GET with something else than a text");
  }

  /** Compares and changes in one step; `false`: something else was there. Rejects as `read` does. */
  async change(name: string, change: LeaseChange, signal: AbortSignal): Promise<boolean> {
    const key = this.#prefix + name;
    if (change.next === null) {
      return await this.#send(["EVAL", DELETE, "1", key, change.expected], signal) === 1;
    }
    const { expected, next } = change;
    const milliseconds = String(Math.max(1, Math.ceil(change.seconds * 1000)));
    return expected === null
      ? await this.#send(["SET", key, next, "PX", milliseconds, "NX"], signal) === "OK"
      : await this.#send(["EVAL", REPLACE, "1", key, expected, next, milliseconds], signal) === 1;
  }

  #send(command: readonly string[], signal: AbortSignal): Promise<unknown> {
    return unlessAborted(() => this.#client.sendCommand(command), signal);
  }
}
