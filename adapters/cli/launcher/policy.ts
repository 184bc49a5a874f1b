/**
 * `--policy`: one of Codex's three modes, or a file whose text goes out exactly as it is.
 *
 * @module
 */

import { readFile, realpath } from "node:fs/promises";
import { SandboxError } from "../../../core/errors.ts";
import type { Platform } from "../../../core/sandbox/path.ts";
import { buildSandboxState, SANDBOX_MODES, type SandboxMode } from "../../../core/sandbox/presets.ts";
import { UsageError } from "../program/exit_code.ts";
import type { Writable } from "./codex_home.ts";

/** What is sent as the state, and what the host knows about it. */
export interface Policy {
  /** As it was named. */
  readonly name: string;
  /** JSON text of the state. */
  readonly stateText: string;
  /** Real paths that it lets a command write to; for a file, which nobody looks into, none are known. */
  readonly writableRoots: readonly string[];
}

/** What a mode needs to become a state. */
export interface PolicyOptions {
  /** Real path of the project. */
  readonly directory: string;
  /** The Codex CLI, which is its own Linux sandbox executable. */
  readonly codex: string | undefined;
  /** This host's. */
  readonly platform: Platform;
  /** Temporary folder that `workspace-write` leaves writable besides `/tmp`. */
  readonly temporary?: string | undefined;
}

/**
 * Reads what `--policy` names.
 *
 * @throws {SandboxError} `STATE_INEXACT` when the file is not JSON or not UTF-8.
 */
export async function readPolicy(name: string, options: PolicyOptions): Promise<Policy> {
  const { directory, codex, platform, temporary } = options;
  if (!isMode(name)) return { name, stateText: await readState(name), writableRoots: [] };
  const state = buildSandboxState(name, {
    directory,
    platform,
    linuxSandboxExecutable: platform === "linux" ? codex : undefined,
  });
  const writable = name === "workspace-write"
    ? [directory, "/tmp", ...(temporary === undefined ? [] : [temporary])]
    : [];
  const writableRoots = await Promise.all(writable.map((root) => realpath(root).catch(() => root)));
  return { name, stateText: JSON.stringify(state), writableRoots };
}

/** What a policy lets a command write to. Into a file nobody looks: it is taken to be the workspace. */
export function writableBy(
  { name, writableRoots }: Pick<Policy, "name" | "writableRoots">,
  directory: string,
): Writable {
  if (!isMode(name)) return { workspace: directory, roots: [directory] };
  return { workspace: writableRoots.includes(directory) ? directory : null, roots: writableRoots };
}

/** Whether this is one of Codex's modes, and not a file. */
export function isMode(name: string): name is SandboxMode {
  return (SANDBOX_MODES as readonly string[]).includes(name);
}

async function readState(path: string): Promise<string> {
  let bytes: Uint8Array;
  try {
    bytes = await readFile(path);
  } catch {
    throw new UsageError(`--policy takes ${SANDBOX_MODES.join(", ")} or a file that can be read.`);
  }
  try {
    const text = new TextDecoder("utf-8", { fatal: true }).decode(bytes);
    JSON.parse(text);
    return text;
  } catch {
    throw new SandboxError("STATE_INEXACT", "Cannot send the policy file: it is not JSON in UTF-8.");
  }
}
