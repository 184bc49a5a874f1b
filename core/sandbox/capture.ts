/**
 * Capturing: from the `_meta` of the `tools/call` at hand to a {@linkcode CapturedAuthority}. Tool arguments,
 * earlier calls, environment variables and files have no way in here.
 *
 * @module
 */

import { SandboxError } from "../errors.ts";
import { equalJsonTexts } from "../json/comparable.ts";
import { equalJson } from "../json/equal.ts";
import { isExactJson } from "../json/exact.ts";
import { freezeJson } from "../json/freeze.ts";
import { isJsonObject, type JsonValue, ownProperty } from "../json/value.ts";
import { writeJson } from "../json/write.ts";
import { type CallTransport, CapturedAuthority } from "./authority.ts";
import { SANDBOX_LAUNCHER_KEY, SANDBOX_STATE_KEY, SANDBOX_STATE_META_KEY } from "./keys.ts";

/** What is known of a call besides its `_meta`. */
export interface CaptureOptions {
  /** How the call arrived; absent means unknown, and makes a launcher unusable. */
  readonly transport?: CallTransport | undefined;
  /** Source text of `codex/sandbox-state`, as it stood in the message; it is what will be forwarded. */
  readonly stateText?: string | undefined;
  /** Source text of `codex/sandbox-state-meta`. */
  readonly aliasText?: string | undefined;
}

/**
 * Captures the authority of a call from its `_meta`.
 *
 * Own properties only, each read once; what happens to `meta` afterwards has no effect. Any JSON value is a
 * state, `null` included; a key that is absent or `undefined` is missing. Either key alone is accepted, and
 * with both the one under `codex/sandbox-state` is forwarded. The launcher is taken as it is: whether it can
 * be used is decided when a command is planned.
 *
 * Without source texts the state is written back by JavaScript, so one that JavaScript does not hold exactly
 * is refused. With them the text is retained and forwarded byte for byte.
 *
 * @throws {SandboxError} `STATE_MISSING` when `meta` carries the state under neither key.
 * @throws {SandboxError} `LAUNCHER_INVALID` when the state is missing and a launcher came over anything but stdio.
 * @throws {SandboxError} `STATE_INEXACT` when a state without a source text would not survive being written.
 * @throws {SandboxError} `STATE_CONFLICT` when the two copies differ, or a text is not that of its value.
 *
 * @example
 * ```ts
 * import { buildCallMeta, captureAuthority } from "@codex-mcp/runtime";
 *
 * const meta = buildCallMeta({
 *   capabilities: { experimental: { "codex/sandbox-state": {} } },
 *   state: { permissionProfile: { type: "disabled" } },
 * });
 * const authority = captureAuthority(meta, { transport: "stdio" });
 * console.log(authority.stateText); // {"permissionProfile":{"type":"disabled"}}
 * ```
 */
export function captureAuthority(meta: unknown, options: CaptureOptions = {}): CapturedAuthority {
  const { transport, stateText, aliasText } = options;
  const state = ownProperty(meta, SANDBOX_STATE_KEY);
  const alias = ownProperty(meta, SANDBOX_STATE_META_KEY);
  const launcher = ownProperty(meta, SANDBOX_LAUNCHER_KEY);
  if (state === undefined && alias === undefined) {
    throw launcher !== undefined && transport !== "stdio" ? foreignLauncher() : missingState(meta);
  }
  if (state === undefined && stateText !== undefined || alias === undefined && aliasText !== undefined) {
    throw conflict("a source text came for a key that the call does not carry");
  }
  const text = state === undefined
    ? forwardedText(alias, aliasText, SANDBOX_STATE_META_KEY)
    : forwardedText(state, stateText, SANDBOX_STATE_KEY);
  if (state !== undefined && alias !== undefined && !sameCopies()) {
    throw conflict(`${SANDBOX_STATE_KEY} and ${SANDBOX_STATE_META_KEY} differ`);
  }
  return new CapturedAuthority({ stateText: text, launcher: retainedLauncher(launcher), transport });

  function sameCopies(): boolean {
    if (stateText === undefined && aliasText === undefined) {
      return state === alias || equalJson(state as JsonValue, alias as JsonValue);
    }
    return equalTexts(text, forwardedText(alias, aliasText, SANDBOX_STATE_META_KEY));
  }
}

/** The text to forward for a state, proven to say what its value says. */
function forwardedText(value: unknown, source: string | undefined, key: string): string {
  const text = writtenExactly(value);
  if (source === undefined) {
    if (text !== null) return text;
    throw new SandboxError(
      "STATE_INEXACT",
      `Cannot forward ${key}: it holds a value that JavaScript cannot write back as it came; ` +
        "nothing was run. Capture it with its source text.",
    );
  }
  if (source !== text && !isTextOf(source, value)) {
    throw conflict(`the source text of ${key} is not that of its value`);
  }
  if (source.isWellFormed()) return source;
  throw new SandboxError(
    "STATE_INEXACT",
    `Cannot forward ${key}: UTF-8 cannot write its source text; nothing was run.`,
  );
}

/** JSON text of `value`, or `null` when JavaScript does not hold it exactly or it is not JSON. */
function writtenExactly(value: unknown): string | null {
  let text: string;
  try {
    text = writeJson(value as JsonValue);
  } catch {
    return null; // a circle or a bigint
  }
  return isExactJson(value) ? text : null;
}

function isTextOf(source: string, value: unknown): boolean {
  try {
    return equalJson(JSON.parse(source), value as JsonValue);
  } catch {
    return false;
  }
}

function equalTexts(a: string, b: string): boolean {
  try {
    return equalJsonTexts(a, b);
  } catch {
    return false; // a key named twice: nobody can say which one counts
  }
}

/** A private copy; what cannot be copied is kept as `null`, which is a launcher that cannot be used. */
function retainedLauncher(launcher: unknown): JsonValue | undefined {
  if (launcher === undefined) return undefined;
  try {
    return freezeJson(JSON.parse(writeJson(launcher as JsonValue)));
  } catch {
    return null;
  }
}

function conflict(what: string): SandboxError {
  return new SandboxError(
    "STATE_CONFLICT",
    `Cannot tell the sandbox state of this call: ${what}; nothing was run. ` +
      "Something between host and server changed the call.",
  );
}

function foreignLauncher(): SandboxError {
  return new SandboxError(
    "LAUNCHER_INVALID",
    "Cannot accept a launcher: the call did not arrive over the server's own stdio, and carries no state.",
  );
}

function missingState(meta: unknown): SandboxError {
  const what = isJsonObject(meta)
    ? `its _meta carries neither ${SANDBOX_STATE_KEY} nor ${SANDBOX_STATE_META_KEY}`
    : "it carries no _meta";
  return new SandboxError(
    "STATE_MISSING",
    `Cannot run anything for this call: ${what}; nothing was run. ` +
      "The server must advertise the capability, and the host and any relay between must send the state with each call.",
  );
}
