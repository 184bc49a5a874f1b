/**
 * The pure core and the tokens in workerd: what a `_meta` comes to is the same as here, to the last digit, and a thread
 * whose account changes gets nothing any more.
 *
 * @module
 */

import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { test } from "node:test";
import { startWorker } from "../../../scripts/demo/worker_process.ts";
import { SANDBOX_STATE_KEY, SANDBOX_STATE_META_KEY } from "../../../mod.ts";
import { captureNamed } from "../../fixtures/captures/mod.ts";
import { select, startEnterpriseBed } from "../../fixtures/enterprise/mod.ts";
import { signIn } from "../../fixtures/enterprise/trace/trace.ts";
import { askCore, type CoreQuestion } from "./stage.ts";

const STAGE = "tests/real/edge/stage.ts";

/** A captured `_meta` with numbers that JavaScript would change, and the same with another one of them. */
function question(): CoreQuestion {
  const { meta: { [SANDBOX_STATE_KEY]: state, [SANDBOX_STATE_META_KEY]: _, ...others } } = captureNamed(
    "stdio-workspace-write",
  );
  const textOf = (big: string): string =>
    JSON.stringify(state).replace(/^\{/, `{"big":${big},"10":-0,"2":1e400,`);
  const metaOf = (stateText: string): string =>
    JSON.stringify(others).replace(/\}$/, `,"${SANDBOX_STATE_KEY}":${stateText}}`);
  const [stateText, otherText] = [textOf("9007199254740993"), textOf("9007199254740995")];
  return { meta: metaOf(stateText), stateText, otherMeta: metaOf(otherText), otherText };
}

test("capturing, planning and comparing come to the same in workerd, exact text and all", async () => {
  await using bed = await startEnterpriseBed();
  await using worker = await startWorker(bed, STAGE);
  const asked = question();
  const response = await fetch(`${worker.url}/core`, { method: "POST", body: JSON.stringify(asked) });
  const answer = await response.json();
  assertEquals(response.status, 200, JSON.stringify(answer));
  assertEquals(answer, JSON.parse(JSON.stringify(askCore(asked))));
  assert(answer.plan.args.includes(asked.stateText));
  assertStringIncludes(asked.stateText, '"big":9007199254740993,"10":-0,"2":1e400');
  assertEquals(answer.same, { same: true, changes: [] });
  assertEquals(answer.changed, { same: false, changes: ["/state/big"] });
  assertEquals([answer.inexact, answer.withoutStdio], ["STATE_INEXACT", "LAUNCHER_INVALID"]);
});

test("twelve thousand tokens take one exchange, and a thread whose account changes gets no token any more, also when the account comes back", async () => {
  await using bed = await startEnterpriseBed();
  await using worker = await startWorker(bed, STAGE);
  const { tokens } = await signIn(bed, { login_hint: "alice" });
  const headers = { authorization: `Bearer ${tokens?.["id_token"]}` };
  const response = await fetch(`${worker.url}/switch`, { headers });
  assertEquals(await response.json(), {
    before: "none",
    switched: { one: "SIGN_IN_REQUIRED", two: "SIGN_IN_REQUIRED", revoked: true },
    back: { one: "REAUTHORIZATION_REQUIRED", three: "none" },
  });
  assertEquals(select(bed.wire.entries(), { endpoint: "idp.exchange" }).length, 2); // and one after the change
  assertEquals(bed.secretsInPlay().filter((secret) => worker.output().includes(secret)), []);
});
