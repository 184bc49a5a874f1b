/**
 * The flags of `serve`, which are the operator's decisions, and the part of them that `exec` hands on.
 *
 * @module
 */

import { isAbsolute } from "node:path";
import { isEnvironmentHook } from "../../../core/sandbox/environment.ts";
import type { RunnerPolicy } from "../../sandbox/runner.ts";
import type { SessionsPolicy } from "../../sandbox/sessions.ts";
import { UsageError } from "../program/exit_code.ts";
import type { FlagNames, Flags } from "../program/flags.ts";

/** What `codex-mcp serve --help` prints. */
export const HELP = `codex-mcp serve [flags]

The stdio MCP server: exec runs a command in the sandbox that the calling host decides on; session_start,
session_send, session_read and session_end keep one running between calls, for as long as that sandbox stays the same.
Speaks MCP 2025-11-25 and earlier, and 2026-07-28. Add it to Codex with: codex mcp add exec -- codex-mcp serve

  --allow-unsandboxed   run commands WITHOUT a sandbox for a host that sends a state and no launcher; anything
                        else that is wrong stays refused
  --refuse-disabled     refuse states whose permission profile is disabled or of an unknown type
  --disable-network     close the network whatever the state says
  --readable-root PATH  let commands read PATH besides; may be repeated
  --pass-env NAME       pass a variable on besides the base list; may be repeated
  --max-output BYTES    keep that much of each output stream (default 262144)
  --timeout SECONDS     end every command after that time (default: no limit but the call's own)
  --max-sessions N      let that many sessions run at a time (default 16)
  --session-idle SECONDS      end a session that was not used for that time (default 1800)
  --session-lifetime SECONDS  end a session after that time in any case (default: --timeout, else 28800)
`;

/** Bytes kept of each stream: two of them, escaped twice in a result, stay below what an SDK host reads at once. */
const DEFAULT_OUTPUT_BYTES = 262_144;

/** The flags that narrow or widen what a command may do, with a command line of their own in `exec`. */
export const POLICY_FLAGS: Required<FlagNames> = {
  switches: ["disable-network"],
  values: ["timeout", "max-output"],
  lists: ["readable-root", "pass-env"],
};

/** All flags of `serve`. */
export const SERVE_FLAGS: FlagNames = {
  ...POLICY_FLAGS,
  switches: [...POLICY_FLAGS.switches, "allow-unsandboxed", "refuse-disabled"],
  values: [...POLICY_FLAGS.values, "max-sessions", "session-idle", "session-lifetime"],
};

/** What the operator decided. Throws a `UsageError` for a value that cannot be meant. */
export function runnerPolicy(flags: Flags): RunnerPolicy {
  const passEnvironment = flags.list("pass-env");
  const hook = passEnvironment.find(isEnvironmentHook);
  if (hook !== undefined) {
    throw new UsageError(`--pass-env ${hook} is refused: it would run code outside the sandbox.`);
  }
  const relative = flags.list("readable-root").find((root) => !isAbsolute(root));
  if (relative !== undefined) {
    throw new UsageError(`--readable-root takes absolute paths, and ${relative} is none.`);
  }
  return {
    allowUnsandboxed: flags.has("allow-unsandboxed"),
    refuseDisabled: flags.has("refuse-disabled"),
    disableNetwork: flags.has("disable-network"),
    readableRoots: flags.list("readable-root"),
    passEnvironment,
    maxOutputBytes: flags.count("max-output") ?? DEFAULT_OUTPUT_BYTES,
    timeoutMs: flags.milliseconds("timeout"),
  };
}

/** What the operator lets sessions take. Throws a `UsageError` for a value that cannot be meant. */
export function sessionsPolicy(flags: Flags): SessionsPolicy {
  return {
    maxSessions: flags.count("max-sessions"),
    idleTimeoutMs: flags.milliseconds("session-idle"),
    lifetimeMs: flags.milliseconds("session-lifetime") ?? flags.milliseconds("timeout"),
    maxOutputBytes: flags.count("max-output") ?? DEFAULT_OUTPUT_BYTES,
  };
}

/** The flags of {@linkcode POLICY_FLAGS} that were given, to hand on to a `serve` that is started. */
export function policyArguments(flags: Flags): string[] {
  runnerPolicy(flags);
  return [
    ...POLICY_FLAGS.switches.filter((name) => flags.has(name)).map((name) => `--${name}`),
    ...POLICY_FLAGS.values.flatMap((name) => {
      const value = flags.value(name);
      return value === undefined ? [] : [`--${name}`, value];
    }),
    ...POLICY_FLAGS.lists.flatMap((name) => flags.list(name).flatMap((value) => [`--${name}`, value])),
  ];
}
