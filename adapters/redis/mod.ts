/**
 * Access tokens that several processes share, kept in Redis, encrypted with the operator's key. Only a program that
 * asks for it loads the client, `@redis/client`.
 *
 * What is shared is opened by `openSharedLeases` of `@codex-mcp/runtime/http/tokens`.
 *
 * Nothing is read or started at import. Permission in Deno: `--allow-net` for Redis, or for a socket in the file system
 * `--allow-read` and `--allow-write`; `--allow-env`, which the client reads.
 *
 * @module
 */

export type { LeaseChange, LeaseStore } from "../../core/ports/lease_store.ts";
export { connectRedis, type ConnectRedisOptions } from "./connect_redis.ts";
export type { RedisConnection } from "./connect_redis.ts";
export { type RedisCommands, RedisLeaseStore, type RedisLeaseStoreOptions } from "./redis_lease_store.ts";
