/**
 * The launcher: which executable may stand under `codex/sandbox-launcher`, for the host that sends it and for
 * the server that is to run it. Whether that executable really is a Codex CLI takes a probe, which is an
 * adapter's (`adapters/sandbox/probe.ts`).
 *
 * @module
 */

import { quote } from "../errors.ts";
import { ownProperty } from "../json/value.ts";
import { isAbsolutePath, isInside, isRepresentable, type Platform } from "./path.ts";

/** The value under `codex/sandbox-launcher`. */
export interface SandboxLauncher {
  /** Absolute path of a Codex CLI on the server's machine. */
  readonly codexExecutable: string;
}

/** Why a host sends no launcher. */
export type NoLauncherReason =
  /** The server is not reached over stdio. */
  | "not-stdio"
  /** The server does not run in the local environment. */
  | "remote-environment"
  /** No Codex CLI is known. */
  | "no-executable"
  /** The path is relative, a batch file, or cannot be written as UTF-8. */
  | "path-unusable"
  /** The executable lies in the workspace. */
  | "in-workspace"
  /** The executable lies under a root that the policy makes writable. */
  | "in-writable-root"
  /** The executable did not answer the probe as a Codex CLI. */
  | "probe-failed";

/** A host's decision: the launcher to send, or why there is none. */
export type LauncherDecision =
  | { readonly launcher: SandboxLauncher; readonly reason?: never; readonly message?: never }
  | {
    readonly launcher?: never;
    /** Why, for programs. */
    readonly reason: NoLauncherReason;
    /** Why and what to do, for people. */
    readonly message: string;
  };

/** What a host knows when it decides. */
export interface LauncherFacts {
  /** How the server is reached; a loopback address does not make HTTP local. */
  readonly transport: "stdio" | "http";
  /** Name of the server's execution environment; `"local"` is the default one. */
  readonly environment: string;
  /** Real path of the Codex CLI, symbolic links resolved; absent when there is none. */
  readonly executable?: string | undefined;
  /** Whether `<executable> sandbox --sandbox-state-json '{}' --help` exited with 0. */
  readonly probe: boolean;
  /** Real paths that the policy lets a sandboxed command write to. */
  readonly writableRoots: readonly string[];
  /** Real path of the workspace, which never provides a launcher even where it is read-only. */
  readonly workspace?: string | undefined;
  /** Whose paths these are; `"linux"` when absent. */
  readonly platform?: Platform | undefined;
}

/**
 * Decides which launcher a host sends with a call. Checked in this order: transport, environment, executable,
 * path, workspace, writable roots, probe.
 *
 * A launcher that a sandboxed command could replace is none: the next call would run the replacement outside
 * the sandbox. Under a disabled profile nothing is sandboxed; give no writable roots then.
 *
 * @example
 * ```ts
 * import { launcherFor } from "@codex-mcp/runtime";
 *
 * const decision = launcherFor({
 *   transport: "stdio",
 *   environment: "local",
 *   executable: "/home/dev/project/node_modules/codex",
 *   probe: true,
 *   writableRoots: ["/home/dev/project"],
 * });
 * console.log(decision.reason); // in-writable-root
 * ```
 */
export function launcherFor(facts: LauncherFacts): LauncherDecision {
  const { executable, workspace, platform = "linux" } = facts;
  if (facts.transport !== "stdio") {
    return none(
      "not-stdio",
      "Only a stdio server gets a launcher: another transport may end on another machine.",
    );
  }
  if (facts.environment !== "local") {
    return none("remote-environment", "Only a server in the local environment gets a launcher.");
  }
  if (executable === undefined) {
    return none("no-executable", "No Codex CLI is known. Install one: npm install --global @openai/codex");
  }
  const flaw = launcherFlaw(executable, platform);
  if (flaw !== null) return none("path-unusable", `The launcher ${quote(executable)} ${flaw}.`);
  if (workspace !== undefined && isInside(executable, workspace, platform)) {
    return none("in-workspace", `The launcher ${quote(executable)} lies in the workspace. ${ELSEWHERE}`);
  }
  const root = facts.writableRoots.find((writable) => isInside(executable, writable, platform));
  if (root !== undefined) {
    return none(
      "in-writable-root",
      `The launcher ${quote(executable)} lies under ${
        quote(root)
      }, which the policy makes writable. ${ELSEWHERE}`,
    );
  }
  if (!facts.probe) {
    return none("probe-failed", `${quote(executable)} did not answer as a Codex CLI with a sandbox command.`);
  }
  return { launcher: { codexExecutable: executable } };
}

const ELSEWHERE = "Name a Codex CLI that a sandboxed command cannot replace.";

function none(reason: NoLauncherReason, message: string): LauncherDecision {
  return { reason, message };
}

/** The path in a launcher value; `null` when the value is not a launcher. */
export function launcherExecutable(launcher: unknown): string | null {
  const path = ownProperty(launcher, "codexExecutable");
  return typeof path === "string" ? path : null;
}

/** What makes `path` no launcher on `platform`, to follow the path in a sentence; `null` when it may be one. */
export function launcherFlaw(path: string, platform: Platform): string | null {
  if (!isRepresentable(path)) return "holds a character that no path can hold";
  if (!isAbsolutePath(path, platform)) return "is not an absolute path";
  // Windows drops trailing dots and spaces from a name, and opens what follows a colon as a stream of the file
  if (/\.(?:cmd|bat|ps1)[. ]*$/i.test(path)) {
    return "is a batch file, which cannot take a policy as one argument";
  }
  if (platform === "windows" && /:[^\\/]*$/.test(path)) return "names a stream of a file";
  if (platform === "windows" && /[\\/](?:\.{0,2}[. ]*)(?:[\\/]|$)/.test(path.slice(2))) {
    return "is not resolved";
  }
  return null;
}
