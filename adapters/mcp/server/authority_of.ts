/**
 * From whatever a server holds of a call to its captured authority.
 *
 * This file decides which `_meta` counts and over which transport the call came, and adds to a missing state
 * who did not send it. `call_context.ts` knows the shapes, `core/sandbox/capture.ts` captures.
 *
 * @module
 */

import { quote, SandboxError } from "../../../core/errors.ts";
import { equalJson } from "../../../core/json/equal.ts";
import { type JsonValue, ownProperty } from "../../../core/json/value.ts";
import type { CallTransport, CapturedAuthority } from "../../../core/sandbox/authority.ts";
import { captureAuthority } from "../../../core/sandbox/capture.ts";
import { HOST_KEYS } from "../../../core/sandbox/keys.ts";
import { type CallContext, type Implementation, readCallContext } from "./call_context.ts";
import { advertises, clientOf } from "./sdk_server.ts";

/** Source texts out of the message of one call. */
export interface SourceTexts {
  /** Text of `codex/sandbox-state`. */
  readonly stateText?: string | undefined;
  /** Text of `codex/sandbox-state-meta`. */
  readonly aliasText?: string | undefined;
}

/** What a server knows besides a call's context. */
export interface AuthorityOptions {
  /** The server's transport; absent: unknown, and launchers cannot be used. A context that shows HTTP overrules it. */
  readonly transport?: CallTransport | undefined;
  /**
   * Gives the source texts of a request, by its JSON-RPC id, where the transport kept them. Without texts a state
   * that JavaScript cannot hold exactly is refused.
   */
  readonly sourceTexts?: ((requestId: string | number) => SourceTexts | undefined) | undefined;
  /** Names the host, for the message of a missing state; a name in the request itself goes first. */
  readonly client?: (() => Implementation | undefined) | undefined;
  /**
   * The SDK's server object, of either line. Read for the message of a missing state alone: who the host is, and
   * whether the capability was advertised at all.
   */
  readonly server?: object | undefined;
}

/**
 * Captures the authority of the call that `context` belongs to. Accepted are an SDK v1 `extra`, an SDK v2 context,
 * a JSON-RPC request, and the params of one. Checked in this order: all copies of `_meta` agree, then as
 * {@linkcode captureAuthority} does. Tool arguments have no way in.
 *
 * @throws {SandboxError} `STATE_MISSING` when the call carries no state; the message names the host if it is known.
 * @throws {SandboxError} `STATE_CONFLICT` when copies of `_meta` or of the state differ, or a source text is not
 * that of its value.
 * @throws {SandboxError} `STATE_INEXACT` when a state without a source text would not survive being written.
 * @throws {SandboxError} `LAUNCHER_INVALID` when a launcher came without a state, and not over stdio.
 *
 * @example A server without SDK
 * ```ts
 * import { authorityOf } from "@codex-mcp/runtime/mcp";
 *
 * const request = {
 *   id: 1,
 *   method: "tools/call",
 *   params: { name: "run", _meta: { "codex/sandbox-state": { permissionProfile: { type: "disabled" } } } },
 * };
 * console.log(authorityOf(request, { transport: "stdio" }).stateText);
 * // {"permissionProfile":{"type":"disabled"}}
 * ```
 */
export function authorityOf(context: unknown, options: AuthorityOptions = {}): CapturedAuthority {
  const call = readCallContext(context);
  const meta = agreedMeta(call.metas);
  const texts = call.requestId === undefined ? undefined : options.sourceTexts?.(call.requestId);
  try {
    return captureAuthority(meta, {
      transport: call.http ? "http" : options.transport,
      stateText: texts?.stateText,
      aliasText: texts?.aliasText,
    });
  } catch (error) {
    if (!(error instanceof SandboxError) || error.code !== "STATE_MISSING") throw error;
    throw new SandboxError("STATE_MISSING", [error.message, ...explain(call, options)].join(" "));
  }
}

/** The one `_meta`, or the first of several that say the same under the host's keys. */
function agreedMeta(metas: readonly unknown[]): unknown {
  const [first, ...others] = metas;
  for (const key of HOST_KEYS) {
    const value = ownProperty(first, key);
    if (others.every((other) => sameValue(value, ownProperty(other, key)))) continue;
    throw new SandboxError(
      "STATE_CONFLICT",
      `Cannot tell the sandbox state of this call: the copies of its _meta differ in ${key}; nothing was run. ` +
        "Something in this server changed the call.",
    );
  }
  return first;
}

function sameValue(a: unknown, b: unknown): boolean {
  if (a === undefined || b === undefined) return a === b;
  return equalJson(a as JsonValue, b as JsonValue);
}

/** Who did not send the state, as far as anybody knows. */
function explain(call: CallContext, { client, server }: AuthorityOptions): string[] {
  const sentences: string[] = [];
  if (server !== undefined && advertises(server) === false) {
    sentences.push(
      "This server never advertised it: put advertiseSandboxState() into the capabilities of its options.",
    );
  }
  const host = call.client ?? client?.() ?? (server === undefined ? undefined : clientOf(server));
  if (host !== undefined) sentences.push(`The host is ${quote(host.name)} ${quote(host.version)}.`);
  return sentences;
}
