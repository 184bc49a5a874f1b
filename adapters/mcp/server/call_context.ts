/**
 * What a call's context shows: the shapes that MCP servers hand to a tool, read without any SDK.
 *
 * Known are the `extra` of the MCP SDK's first line, the context of its second, a JSON-RPC request, and its
 * params. This file reads; `authority_of.ts` decides what follows from it. Tool arguments are never looked at.
 *
 * @module
 */

import { isJsonObject, ownProperty } from "../../../core/json/value.ts";

/** Name and version of an MCP client or server, as it gave them. */
export interface Implementation {
  /** Its name. */
  readonly name: string;
  /** Its version. */
  readonly version: string;
}

/** What a context shows of a call. */
export interface CallContext {
  /** Every `_meta` that is present, in the order in which it was looked for; most contexts hold one. */
  readonly metas: readonly unknown[];
  /** Id of the JSON-RPC request; `undefined` when the context shows none. */
  readonly requestId: string | number | undefined;
  /** Whether the call shows that it came over HTTP. `false` proves nothing. */
  readonly http: boolean;
  /** The host, where the request itself names it (MCP 2026-07-28); `undefined` when it does not. */
  readonly client: Implementation | undefined;
}

/** `_meta` key under which a request names its client (MCP 2026-07-28). */
const CLIENT_INFO_KEY = "io.modelcontextprotocol/clientInfo";

/** What the first line of the SDK adds to a call that came over HTTP. */
const HTTP_MARKS: readonly string[] = [
  "requestInfo",
  "authInfo",
  "closeSSEStream",
  "closeStandaloneSSEStream",
];

/** Reads `context`. Anything that is not an object shows nothing. */
export function readCallContext(context: unknown): CallContext {
  const modern = ownProperty(context, "mcpReq");
  const metas = [
    ownProperty(modern, "_meta"),
    ownProperty(context, "_meta"),
    ownProperty(ownProperty(context, "params"), "_meta"),
  ].filter((meta) => meta !== undefined);
  const names = [ownProperty(modern, "envelope"), ...metas].map((one) => ownProperty(one, CLIENT_INFO_KEY));
  return {
    metas,
    requestId: [ownProperty(modern, "id"), ownProperty(context, "requestId"), ownProperty(context, "id")]
      .find(isRequestId),
    http: ["http", ...HTTP_MARKS].some((mark) => isPresent(context, mark)),
    client: names.find(isImplementation),
  };
}

/**
 * Whether `value` is what an SDK hands to a tool callback. No JSON can be: the signal that ends the call is
 * part of every such context.
 */
export function isSdkContext(value: unknown): boolean {
  return [ownProperty(value, "signal"), ownProperty(ownProperty(value, "mcpReq"), "signal")]
    .some((signal) => signal instanceof AbortSignal);
}

/** Whether `value` is a name and a version. */
export function isImplementation(value: unknown): value is Implementation {
  return typeof ownProperty(value, "name") === "string" && typeof ownProperty(value, "version") === "string";
}

function isRequestId(value: unknown): value is string | number {
  return typeof value === "string" || typeof value === "number";
}

/** Inherited properties count here: evidence against a launcher is taken as it comes. */
function isPresent(value: unknown, key: string): boolean {
  return isJsonObject(value) && value[key] !== undefined && value[key] !== null;
}
