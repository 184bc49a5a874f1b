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

interface Sending {
  readonly signal: AbortSignal;
  readonly otherwise: unknown;
}

const DEFAULT_PREFIX = "codex-mcp:lease:";

/** How much of a value is read at most, in bytes: more than any lease has, however its characters are written. */
const MOST_BYTES = 262_144;

/** What stands for a value that is no text. */
const NO_TEXT = "?";

/** Whether the value is the expected one. One of another length is not loaded. KEYS: the key. ARGV: expected. */
const EXPECTED = `redis.call("STRLEN", KEYS[1]) == #ARGV[1] and redis.call("GET", KEYS[1]) == ARGV[1]`;

/** Replaces the value if it is the expected one. ARGV: expected, next, milliseconds. */
const REPLACE = `
if not (${EXPECTED}) then return 0 end
redis.call("SET", KEYS[1], ARGV[2], "PX", ARGV[3])
return 1`;

/** Deletes the value if it is the expected one. ARGV: expected. */
const DELETE = `
if not (${EXPECTED}) then return 0 end
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
   * The text under `name`, 256 KiB of it at most, and `?` for a value of another type; `null`: there is none, or its
   * time is over. Rejects as the client does, when the answer is no text, and when `signal` is aborted: then Redis may
   * still be asked.
   */
  async read(name: string, signal: AbortSignal): Promise<string | null> {
    const command = ["GETRANGE", this.#prefix + name, "0", String(MOST_BYTES - 1)];
    const answer = await this.#send(command, { signal, otherwise: NO_TEXT });
    if (typeof answer === "string") return answer === "" ? null : answer;
    throw new TypeError("Redis answered GETRANGE with something else than a text");
  }

  /** Compares and changes in one step; `false`: something else was there. Rejects as `read` does. */
  async change(name: string, change: LeaseChange, signal: AbortSignal): Promise<boolean> {
    const key = this.#prefix + name;
    const sending = { signal, otherwise: 0 };
    if (change.next === null) {
      return await this.#send(["EVAL", DELETE, "1", key, change.expected], sending) === 1;
    }
    const { expected, next } = change;
    const milliseconds = String(Math.max(1, Math.ceil(change.seconds * 1000)));
    return expected === null
      ? await this.#send(["SET", key, next, "PX", milliseconds, "NX"], sending) === "OK"
      : await this.#send(["EVAL", REPLACE, "1", key, expected, next, milliseconds], sending) === 1;
  }

  /** The answer; `otherwise` where the value is of another type: that is about this key, and Redis is well. */
  async #send(command: readonly string[], { signal, otherwise }: Sending): Promise<unknown> {
    try {
      return await unlessAborted(() => this.#client.sendCommand(command), signal);
    } catch (error) {
      if (error instanceof Error && /\bWRONGTYPE\b/.test(error.message)) return otherwise;
      throw error;
    }
  }
}
