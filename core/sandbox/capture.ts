/**
 * Capturing: from the `_meta` of the `tools/call` at hand to a {@linkcode CapturedAuthority}. Tool arguments,
 * earlier calls, environment variables and files have no way in here.
 *
 * @module
 */

import { SandboxError } from "../errors.ts";
import { equalJsonTexts } from "../json/comparable.ts";
import { equalExactJson, equalJson, isExactJson } from "../json/equal.ts";
import { isJsonObject, type JsonValue, ownProperty } from "../json/value.ts";
import { tryWriteJson } from "../json/write.ts";
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
 * be used is decided when a command is planned. What comes out of `JSON.parse` is what this is for; an object made to
 * deceive the writer, with a hidden `toJSON` of its own, is beyond it.
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
  try {
    return capture(meta, options);
  } catch (error) {
    // a getter or a proxy of somebody's may throw anything
    throw error instanceof SandboxError ? error : conflict("its _meta cannot be read");
  }
}

function capture(meta: unknown, options: CaptureOptions): CapturedAuthority {
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
  const stateCopy: Copy = { key: SANDBOX_STATE_KEY, value: state, source: stateText };
  const aliasCopy: Copy = { key: SANDBOX_STATE_META_KEY, value: alias, source: aliasText };
  const forwarded = state === undefined ? aliasCopy : stateCopy;
  const twin = alias === undefined ? stateCopy : aliasCopy;
  const launcherText = launcher === undefined ? undefined : tryWriteJson(launcher) ?? "null";
  return new CapturedAuthority({ stateText: agreedText(forwarded, twin), launcherText, transport });
}

/** One of the two copies of a state. */
interface Copy {
  readonly key: string;
  readonly value: unknown;
  readonly source: string | undefined;
}

/** The text to forward: that of `copy`, which `twin` (the same one, where there is only one) does not contradict. */
function agreedText(copy: Copy, twin: Copy): string {
  const written = tryWriteJson(copy.value);
  if (
    written !== null && (copy.source ?? written) === written && (twin.source ?? written) === written &&
    equalExactJson(copy.value, twin.value)
  ) {
    return written;
  }
  const text = copyText(copy);
  if (!equalTexts(text, copyText(twin))) {
    throw conflict(`${SANDBOX_STATE_KEY} and ${SANDBOX_STATE_META_KEY} differ`);
  }
  return text;
}

/** The text of one copy, proven to say what its value says. */
function copyText({ key, value, source }: Copy): string {
  if (source !== undefined && !isTextOf(source, value)) {
    throw conflict(`the source text of ${key} is not that of its value`);
  }
  // writing comes first: it finds a circle, and ends
  const written = tryWriteJson(value);
  const text = source ?? (written !== null && isExactJson(value) ? written : null);
  if (text?.isWellFormed()) return text;
  throw new SandboxError(
    "STATE_INEXACT",
    `Cannot forward ${key}: it holds a value that JavaScript or UTF-8 cannot write as it came; ` +
      "nothing was run. Capture its source text.",
  );
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

function conflict(what: string): SandboxError {
  return new SandboxError(
    "STATE_CONFLICT",
    `Cannot tell the sandbox state of this call: ${what}; nothing was run. ` +
      "Something between host and server changed it.",
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
      "The server must advertise the capability, and host and relay must send the state with each call.",
  );
}
