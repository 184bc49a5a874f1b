/**
 * The states that Codex CLI 0.171.0 itself sends for its three sandbox modes, entry for entry, for a host that
 * has no policy of its own. A host that has one sends that, and nobody looks into it.
 *
 * @module
 */

import type { JsonObject, JsonValue } from "../json/value.ts";
import type { Platform } from "./path.ts";

/** Codex's three sandbox modes. */
export type SandboxMode = "read-only" | "workspace-write" | "danger-full-access";

/** The modes, from the narrowest to the widest. */
export const SANDBOX_MODES: readonly SandboxMode[] = ["read-only", "workspace-write", "danger-full-access"];

/** What a preset needs to know. */
export interface PresetOptions {
  /** Absolute path of the project: working directory of the command, and workspace under `"workspace-write"`. */
  readonly directory: string;
  /** Absolute path of the Linux sandbox executable, which a Codex CLI is itself; absent: `null`, off Linux. */
  readonly linuxSandboxExecutable?: string | undefined;
  /** More writable paths under `"workspace-write"`. */
  readonly writableRoots?: readonly string[] | undefined;
  /** Whether `"workspace-write"` leaves the network open; closed when absent. */
  readonly network?: boolean | undefined;
  /** Whether `"workspace-write"` leaves out `/tmp` and `$TMPDIR`, which Codex makes writable by default. */
  readonly excludeTemporary?: boolean | undefined;
  /** Whose path `directory` is; `"linux"` when absent. */
  readonly platform?: Platform | undefined;
}

/** What stays read-only in a writable root: whoever can write there runs code outside the sandbox later. */
const PROTECTED = [".git", ".agents", ".codex", ".aws"];

/**
 * Builds the state that Codex sends in `mode`.
 *
 * @example
 * ```ts
 * import { buildSandboxState } from "@codex-mcp/runtime";
 *
 * const state = buildSandboxState("read-only", { directory: "/home/dev/project" });
 * console.log(state["sandboxCwd"]); // file:///home/dev/project
 * ```
 */
export function buildSandboxState(mode: SandboxMode, options: PresetOptions): JsonObject {
  return {
    permissionProfile: mode === "danger-full-access" ? { type: "disabled" } : {
      type: "managed",
      file_system: {
        type: "restricted",
        entries: [access(special("root"), "read"), ...(mode === "workspace-write" ? writable(options) : [])],
      },
      network: mode === "workspace-write" && options.network === true ? "enabled" : "restricted",
    },
    codexLinuxSandboxExe: options.linuxSandboxExecutable ?? null,
    sandboxCwd: fileUri(options.directory, options.platform ?? "linux"),
    useLegacyLandlock: false,
    useMxc: false,
  };
}

function writable(options: PresetOptions): readonly JsonValue[] {
  const { directory, writableRoots = [], platform = "linux" } = options;
  const roots = [directory, ...writableRoots];
  const separator = platform === "windows" ? "\\" : "/";
  const temporary = options.excludeTemporary ? [] : [special("slash_tmp"), special("tmpdir")];
  return [
    ...roots.map((root) => access(path(root), "write")),
    ...temporary.map((place) => access(place, "write")),
    ...writableRoots.map((root) => access(path(root), "write")), // Codex names them twice
    ...PROTECTED.flatMap((name) =>
      roots.map((root) => ({
        ...access(path(root + separator + name), "read"),
        missing_path_behavior: "skip",
      }))
    ),
  ];
}

function access(place: JsonObject, kind: "read" | "write"): JsonObject {
  return { path: place, access: kind };
}

function special(kind: string): JsonObject {
  return { type: "special", value: { kind } };
}

function path(absolute: string): JsonObject {
  return { type: "path", path: absolute };
}

/** RFC 8089, escaping what a path of a URL may not hold. */
function fileUri(directory: string, platform: Platform): string {
  const path = directory.replaceAll(platform === "windows" ? "\\" : "/", "/")
    .replace(/[^!$&-;=@-Z\[\]_a-z|~]+/g, (unsafe) => encodeURIComponent(unsafe.toWellFormed()));
  if (platform !== "windows") return `file://${path}`;
  return path.startsWith("//") ? `file:${path}` : `file:///${path}`;
}
