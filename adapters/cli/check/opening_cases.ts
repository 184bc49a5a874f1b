/**
 * Cases about what a server says of itself, and whether the call that was named starts anything at all. All others
 * need that one: a server that never starts anything refuses everything.
 *
 * @module
 */

import { isJsonObject, ownProperty } from "../../../core/json/value.ts";
import { SANDBOX_STATE_KEY, SANDBOX_STATE_META_KEY } from "../../../core/sandbox/keys.ts";
import type { CallOutcome } from "./call.ts";
import type { Opened } from "./era.ts";
import { codexLaunches, failed, ok, ranNothing, type Verdict } from "./verdict.ts";

const ADVERTISE = 'advertise { "experimental": { "codex/sandbox-state": {} } } in the capabilities, ' +
  "as an option of the server";

/** Whether the capability is advertised, under its current name. */
export function checkAdvertised({ capabilities, serverInfo }: Opened): Verdict {
  const experimental = ownProperty(capabilities, "experimental");
  const current = ownProperty(experimental, SANDBOX_STATE_KEY);
  if (isJsonObject(current)) return ok(`${SANDBOX_STATE_KEY} is advertised`);
  if (current !== undefined) {
    return failed(
      `${SANDBOX_STATE_KEY} is advertised as ${JSON.stringify(current)}, which is no object`,
      ADVERTISE,
    );
  }
  if (isJsonObject(ownProperty(experimental, SANDBOX_STATE_META_KEY))) {
    return failed(`only the deprecated name ${SANDBOX_STATE_META_KEY} is advertised`, ADVERTISE);
  }
  const misplaced = ["capabilities", "experimental"].some((key) =>
    ownProperty(serverInfo, key) !== undefined
  );
  return failed(
    misplaced
      ? "the capability stands in the server's name and version, where no host looks: nothing is advertised"
      : "the capability is not advertised: no host sends a state",
    ADVERTISE,
  );
}

/** Whether a call as a host sends it starts a launcher. */
export function checkLaunches(outcome: CallOutcome): Verdict {
  const launches = codexLaunches(outcome);
  if (launches.length === 1) return ok("a call with state and launcher starts codex sandbox, once");
  if (launches.length > 1) {
    return failed(`one call started codex ${launches.length} times`, "start the launcher once a call");
  }
  return failed(
    outcome.launches.length > 0 || outcome.marked
      ? "the command ran WITHOUT the launcher of the call"
      : `a call with state and launcher: ${ranNothing(outcome)}`,
    fixOf(outcome),
  );
}

const HAND_OVER =
  "let the server read what exactStdin() hands on, with its sourceTexts: new StdioServerTransport(stdin)";

/** What to do about each refusal of a call that carries everything. */
const REFUSALS: Readonly<Record<string, string>> = {
  STATE_CONFLICT: HAND_OVER,
  STATE_INEXACT: HAND_OVER,
  STATE_MISSING:
    "take the authority from the whole _meta of the call, as the SDK gives it to the tool's function",
  LAUNCHER_MISSING:
    "take the authority from the whole _meta of the call, as the SDK gives it to the tool's function",
  LAUNCHER_INVALID: 'say how the call came where its authority is taken: { transport: "stdio" }',
};

function fixOf({ refused, said }: CallOutcome): string {
  const [code = ""] = refused ? /\b(?:STATE|LAUNCHER)_[A-Z]+\b/.exec(said) ?? [] : [];
  return REFUSALS[code] ??
    "run every command through the call's launcher; if the tool needs other arguments, name them with --tool and --args";
}
