/**
 * The case about what outlives a call: a REPL, a server, a shell that a tool keeps for later calls. It was started
 * under one authority, so no call with another may use it.
 *
 * The author names the tool that begins such a thing and the tool that uses it. `{session}` in the arguments of the
 * second becomes the id that the first gave back.
 *
 * @module
 */

import { ownProperty } from "../../../core/json/value.ts";
import type { Bench } from "./bench.ts";
import type { CallMeta } from "./call.ts";
import type { Reply } from "./connection.ts";
import type { CheckPlan, ChosenCall } from "./plan.ts";
import { codexLaunches, failed, ok, ranNothing, skipped, type Verdict } from "./verdict.ts";

const FIX =
  "keep state and launcher with what they started, and refuse every call whose own differ or are missing";

/** Members under which an id may stand. */
const ID_NAMES: readonly string[] = ["session", "sessionId", "session_id", "id"];

/** Whether what was begun under one authority refuses another. */
export async function checkLongLived(
  bench: Bench,
  session: NonNullable<CheckPlan["session"]>,
): Promise<Verdict> {
  const { states: { usual, other } } = bench;
  const begun = await bench.call(bench.full(usual), bench.choose(session.start));
  if (codexLaunches(begun).length === 0) return failed(`--session-start: ${ranNothing(begun)}`, FIX);
  const use = useCall(bench.choose(session.use), begun.reply);
  if (use === undefined) return skipped(`no ${ID_NAMES.join(", ")} was found in the answer: ${begun.said}`);
  const same = await bench.call(bench.full(usual), use, { lateMs: 0 });
  if (same.refused) {
    return failed(`--session-use under the authority that began it: ${ranNothing(same)}`, FIX);
  }
  const refusals: readonly (readonly [string, CallMeta])[] = [
    ["without any authority", {}],
    ["without a launcher", { state: usual, alias: usual }],
    ["under another state", bench.full(other)],
  ];
  for (const [how, meta] of refusals) {
    const outcome = await bench.call(meta, use, { lateMs: 0 });
    if (!outcome.refused) {
      return failed(`what was begun under one authority was used ${how}: ${outcome.said}`, FIX);
    }
  }
  return ok("what outlives a call is used under the authority that began it, and refused to any other");
}

function useCall({ tool, argumentsText }: ChosenCall, reply: Reply): ChosenCall | undefined {
  if (!argumentsText.includes("{session}")) return { tool, argumentsText };
  const id = sessionId(reply);
  if (id === undefined) return undefined;
  const text = JSON.stringify(id).slice(1, -1);
  return { tool, argumentsText: argumentsText.replaceAll("{session}", () => text) };
}

/** The id in the structured answer, else in a text that is a JSON object. */
function sessionId({ result }: Reply): string | undefined {
  const content = ownProperty(result, "content");
  const texts = (Array.isArray(content) ? content : []).map((part) => ownProperty(part, "text"));
  return [ownProperty(result, "structuredContent"), ...texts.map(parse)]
    .flatMap((value) => ID_NAMES.map((name) => ownProperty(value, name)))
    .find((id) => typeof id === "string");
}

function parse(text: unknown): unknown {
  try {
    return typeof text === "string" ? JSON.parse(text) : undefined;
  } catch {
    return undefined;
  }
}
