/**
 * The two modifiers of a sandboxed run, as arguments. They are the operator's: set when a runner is made,
 * never by a call, and part of what is compared before anything is used again.
 *
 * @module
 */

import { quote, SandboxError } from "../errors.ts";
import { isAbsolutePath, isRepresentable, type Platform } from "./path.ts";

/** What the operator adds to every state. */
export interface ModifierOptions {
  /** Closes the network whatever the state says (narrows). Codex refuses it on a disabled profile. */
  readonly disableNetwork?: boolean | undefined;
  /** Absolute paths that may be read besides those of the state (widens). */
  readonly readableRoots?: readonly string[] | undefined;
}

/**
 * The modifiers as `codex sandbox` takes them; empty when there are none.
 *
 * @throws {SandboxError} `COMMAND_INVALID` when a readable root is not an absolute path of `platform`.
 */
export function sandboxModifiers(options: ModifierOptions, platform: Platform): readonly string[] {
  const args: string[] = [];
  for (const root of options.readableRoots ?? []) {
    if (!isRepresentable(root) || !isAbsolutePath(root, platform)) {
      throw new SandboxError(
        "COMMAND_INVALID",
        `Cannot make ${quote(root)} readable: it is not an absolute path; nothing was run.`,
      );
    }
    args.push("--sandbox-state-readable-root", root);
  }
  if (options.disableNetwork) args.push("--sandbox-state-disable-network");
  return args;
}
