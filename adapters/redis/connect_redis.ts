/**
 * A client of Redis that suits shared leases: it is loaded when it is asked for, and connects anew when it is needed
 * after the connection was lost. It never keeps a program running, does nothing that nobody waits for, and never
 * sends later what could not be sent at once.
 *
 * The client is `@redis/client`, the core of node-redis: the makers of Redis keep it, it depends on nothing else, and
 * `ioredis` itself recommends it for new programs. A program with a client of its own gives that to `RedisLeaseStore`
 * instead.
 *
 * @module
 */

import type { RedisClientOptions } from "@redis/client";
import { withinSeconds } from "../async/deadline.ts";
import { unlessAborted } from "../async/unless_aborted.ts";
import type { RedisCommands } from "./redis_lease_store.ts";

/** Where Redis is. Each member is a secret where it holds one: read it from where secrets are kept. */
export interface ConnectRedisOptions {
  /**
   * `redis://` or, with TLS under the system's authorities, `rediss://`; with `user:password@` where Redis asks for it.
   * Whoever has authorities or certificates of their own gives `RedisLeaseStore` a client of their own.
   */
  readonly url?: string | undefined;
  /** Path of a socket in the file system, in place of a URL. */
  readonly path?: string | undefined;
  /** The user, where the URL does not name it. */
  readonly username?: string | undefined;
  /** The password, where the URL does not hold it. */
  readonly password?: string | undefined;
}

/** A connection to Redis. */
export interface RedisConnection extends RedisCommands, AsyncDisposable {
  /** Sends one command. Rejects when no connection is made in 0.2 seconds, or no answer comes in 5. */
  sendCommand(command: readonly string[]): Promise<unknown>;
  /** Ends the connection. What was sent and not answered rejects. */
  close(): void;
}

/** What is used of the client. */
interface Client {
  on(event: "error", listener: () => void): unknown;
  connect(): Promise<unknown>;
  unref(): void;
  sendCommand(command: readonly string[]): Promise<unknown>;
  destroy(): void;
  readonly isOpen: boolean;
  readonly isReady: boolean;
}

/** How long connecting may take, in milliseconds. */
const CONNECT_MS = 2_000;

/** How long a command waits for the connection, in seconds. Then it is not sent at all, and the next one may be. */
const CONNECTED_SECONDS = 0.2;

/** How long a command waits for its answer, in seconds. */
const ANSWER_SECONDS = 5;

/** How many commands wait for an answer at most: a Redis that is silent must not fill the memory. */
const MOST_COMMANDS = 1_000;

/**
 * Connects. Where nobody listens now, it resolves all the same, and connects when it is needed.
 *
 * @throws {TypeError} when what it is given is no place of a Redis; the error does not show it.
 */
export async function connectRedis(options: ConnectRedisOptions): Promise<RedisConnection> {
  const { createClient } = await import("@redis/client");
  const connection = new LaterConnection(options, createClient);
  await connection.open();
  return connection;
}

class LaterConnection implements RedisConnection {
  readonly #create: (options: RedisClientOptions) => Client;
  readonly #options: RedisClientOptions;
  /** What is waited for: each ends alone, so that no signal is listened to by many. */
  readonly #waiting = new Set<AbortController>();
  #closed = false;
  #opening: Promise<Client> | null = null;
  #client: Client | null = null;

  constructor(
    { path, url, username, password }: ConnectRedisOptions,
    create: (options: RedisClientOptions) => Client,
  ) {
    this.#create = create;
    const socket = {
      ...(path === undefined ? {} : { path }),
      connectTimeout: CONNECT_MS,
      reconnectStrategy: false, // nothing goes on by itself while nobody needs it
    };
    this.#options = {
      url,
      username,
      password,
      commandsQueueMaxLength: MOST_COMMANDS,
      disableOfflineQueue: true,
      socket,
    } as RedisClientOptions;
  }

  /** Tries to connect. */
  async open(): Promise<void> {
    try {
      this.#create(this.#options); // which connects to nobody yet
    } catch {
      throw new TypeError("Cannot connect to Redis: its URL or an option is malformed"); // it may hold a password
    }
    await this.#within(CONNECT_MS / 1000, () => this.#open()).catch(() => undefined);
  }

  async sendCommand(command: readonly string[]): Promise<unknown> {
    const client = this.#client?.isReady
      ? this.#client
      : await this.#within(CONNECTED_SECONDS, () => this.#open());
    try {
      return await this.#within(ANSWER_SECONDS, () => client.sendCommand(command));
    } catch (error) {
      // a machine that is gone says nothing: the next command finds out with a new connection
      if (error instanceof DOMException && this.#client === client) this.#end();
      throw error;
    }
  }

  close(): void {
    this.#closed = true;
    for (const one of this.#waiting) one.abort(closed());
    this.#end();
  }

  [Symbol.asyncDispose](): Promise<void> {
    return Promise.resolve(this.close());
  }

  /** Gives up after `seconds`. The program goes on meanwhile, which the connection alone does not see to. */
  async #within<Result>(seconds: number, work: () => Promise<Result>): Promise<Result> {
    if (this.#closed) throw closed();
    const controller = new AbortController();
    const { signal } = controller;
    this.#waiting.add(controller);
    try {
      return await withinSeconds((within) => unlessAborted(work, within), { seconds, signal });
    } finally {
      this.#waiting.delete(controller);
    }
  }

  #open(): Promise<Client> {
    this.#opening ??= this.#connect().finally(() => this.#opening = null);
    return this.#opening;
  }

  async #connect(): Promise<Client> {
    this.#end();
    const client = this.#create(this.#options);
    this.#client = client;
    client.on("error", () => undefined); // whoever sends a command is told
    client.unref();
    await this.#within(CONNECT_MS / 1000, () => client.connect()).catch((error: unknown) => {
      this.#end();
      throw error;
    });
    if (this.#closed) this.#end();
    return client;
  }

  #end(): void {
    if (this.#client?.isOpen) this.#client.destroy();
    this.#client = null;
  }
}

function closed(): TypeError {
  return new TypeError("The connection was closed");
}
