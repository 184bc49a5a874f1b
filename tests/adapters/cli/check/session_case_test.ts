import { assertEquals, assertMatch } from "@std/assert";
import { test } from "node:test";
import { checkLongLived } from "../../../../adapters/cli/check/session_case.ts";
import type { Verdict } from "../../../../adapters/cli/check/verdict.ts";
import { LIMIT, planFor, withBench } from "./faulty.ts";

const SESSION = planFor("session_kept").session!;

test("what outlives a call is used by its own authority alone", LIMIT, async () => {
  assertEquals((await check("session_kept")).status, "ok");
  const reused = await check("session_reused");
  assertEquals(reused.status, "failed");
  assertMatch(reused.found, /was used without any authority: "used"/);
});

test("what does not begin, cannot be named or cannot be used is told apart", LIMIT, async () => {
  const wrong = { tool: "session_use", argumentsText: '{"session":"{session}x"}' };
  const use = await check("session_kept", { start: SESSION.start, use: wrong });
  assertMatch(
    use.found,
    /--session-use under the authority that began it: the call was refused: "REFUSED: changed"/,
  );
  const none = await check("session_kept", {
    start: { tool: "exec", argumentsText: undefined },
    use: SESSION.use,
  });
  assertEquals(none.status, "skipped");
  assertMatch(none.found, /no session, sessionId, session_id, id was found in the answer: "exit 0"/);
  const begun = await check("session_kept", { start: wrong, use: SESSION.use });
  assertMatch(begun.found, /--session-start: the call was refused/);
});

async function check(name: string, session = SESSION): Promise<Verdict> {
  return await withBench(name, (bench) => checkLongLived(bench, session));
}
