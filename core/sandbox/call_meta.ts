/**
 * What a host puts into the `_meta` of a `tools/call`. The server's side of it is `capture.ts`.
 *
 * @module
 */

import { SandboxError } from "../errors.ts";
import { isExactJson } from "../json/equal.ts";
import { isJsonObject, type JsonObject, type JsonValue } from "../json/value.ts";
import { tryWriteJson } from "../json/write.ts";
import { acceptsSandboxState } from "./capability.ts";
import { HOST_KEYS, SANDBOX_LAUNCHER_KEY, SANDBOX_STATE_KEY, SANDBOX_STATE_META_KEY } from "./keys.ts";
import { launcherExecutable, launcherFlaw, type SandboxLauncher } from "./launcher.ts";
import type { Platform } from "./path.ts";

/** What a host knows about one call. */
export interface CallMetaOptions {
  /** The `_meta` so far: a caller's, an earlier attempt's, a proxy's. Its other entries are kept in order. */
  readonly meta?: unknown;
  /** The server's capabilities, as it announced them. */
  readonly capabilities: unknown;
  /** The state of the server's execution environment; `undefined`: none applies, none is sent. */
  readonly state?: JsonValue | undefined;
  /** What {@linkcode launcherFor} allowed, or its path alone; `undefined`: none is sent. */
  readonly launcher?: SandboxLauncher | string | undefined;
  /** Whose path the launcher is; absent: an absolute path of any platform will do. */
  readonly platform?: Platform | undefined;
}

/**
 * Builds the `_meta` of a call.
 *
 * Whatever stands under the host's three keys is removed. If the server opted in and there is a state, both
 * state keys carry the identical value, and the launcher follows if its path is absolute, is no batch file and
 * can be written as UTF-8; a launcher that is not so is left out, and the server refuses the call.
 * `meta` is not changed; its values are shared, not copied.
 *
 * @throws {SandboxError} `STATE_INEXACT` when JavaScript would not write the state as it is meant.
 *
 * @example
 * ```ts
 * import { buildCallMeta } from "@codex-mcp/runtime";
 *
 * const meta = buildCallMeta({
 *   meta: { progressToken: 7, "codex/sandbox-state": "left by someone else" },
 *   capabilities: { experimental: {} },
 *   state: { permissionProfile: { type: "disabled" } },
 * });
 * console.log(meta); // { progressToken: 7 }
 * ```
 */
export function buildCallMeta(options: CallMetaOptions): JsonObject {
  const { state } = options;
  const meta: Record<string, JsonValue> = {};
  if (isJsonObject(options.meta)) {
    for (const key of Object.keys(options.meta)) {
      if (!HOST_KEYS.includes(key)) put(meta, key, options.meta[key] as JsonValue);
    }
  }
  if (state === undefined || !acceptsSandboxState(options.capabilities)) return meta;
  // writing comes first: it finds a circle, and ends
  if (tryWriteJson(state) === null || !isExactJson(state)) {
    throw new SandboxError(
      "STATE_INEXACT",
      "Cannot send the sandbox state: it holds a value that JavaScript cannot write as it came. " +
        "Send its source text.",
    );
  }
  put(meta, SANDBOX_STATE_KEY, state);
  put(meta, SANDBOX_STATE_META_KEY, state);
  const executable = typeof options.launcher === "string"
    ? options.launcher
    : launcherExecutable(options.launcher);
  if (executable !== null && isUsable(executable, options.platform)) {
    put(meta, SANDBOX_LAUNCHER_KEY, { codexExecutable: executable });
  }
  return meta;
}

function isUsable(executable: string, platform: Platform | undefined): boolean {
  const platforms: readonly Platform[] = platform === undefined ? ["linux", "windows"] : [platform];
  return platforms.some((candidate) => launcherFlaw(executable, candidate) === null);
}

/** Adds an own property whatever its name: assigning `__proto__` would set the prototype instead. */
function put(target: Record<string, JsonValue>, key: string, value: JsonValue): void {
  Object.defineProperty(target, key, { value, enumerable: true, configurable: true, writable: true });
}
