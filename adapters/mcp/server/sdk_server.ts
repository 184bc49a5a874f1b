/**
 * What an SDK's server object tells about its connection, read by shape: both lines of the MCP SDK have
 * `getCapabilities` and `getClientVersion`, on the server itself or on the `server` of an `McpServer`.
 *
 * `authority_of.ts` puts it into messages; nothing is decided by it.
 *
 * @module
 */

import { acceptsSandboxState } from "../../../core/sandbox/capability.ts";
import { type Implementation, isImplementation } from "./call_context.ts";

/** Whether `server` advertises that it wants the sandbox state; `undefined` when it cannot be told. */
export function advertises(server: object): boolean | undefined {
  const capabilities = ask(server, "getCapabilities");
  return capabilities === undefined ? undefined : acceptsSandboxState(capabilities);
}

/** The client that `server` is connected to; `undefined` when it cannot be told. */
export function clientOf(server: object): Implementation | undefined {
  const client = ask(server, "getClientVersion");
  return isImplementation(client) ? client : undefined;
}

function ask(server: object, method: "getCapabilities" | "getClientVersion"): unknown {
  const inner: unknown = Reflect.get(server, "server");
  const target = typeof inner === "object" && inner !== null ? inner : server;
  const found: unknown = Reflect.get(target, method);
  return typeof found === "function" ? Reflect.apply(found, target, []) : undefined;
}
