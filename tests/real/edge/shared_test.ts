/**
 * The other way in a Worker: tokens for each request, and leases that the requests share through a store.
 *
 * @module
 */

import { assert, assertEquals } from "@std/assert";
import { test } from "node:test";
import { startWorker } from "../../../scripts/demo/worker_process.ts";
import { select, startEnterpriseBed } from "../../fixtures/enterprise/mod.ts";
import { signIn } from "../../fixtures/enterprise/trace/trace.ts";

test("requests that share leases through a store make one exchange, each with tokens of its own", async () => {
  await using bed = await startEnterpriseBed();
  await using worker = await startWorker(bed, "tests/real/edge/shared.ts");
  const { tokens } = await signIn(bed, { login_hint: "alice" });
  const headers = { authorization: `Bearer ${tokens?.["id_token"]}` };
  const call = async (signal: AbortSignal | null = null): Promise<string> => {
    const response = await fetch(worker.url, { headers, signal });
    return `${response.status} ${await response.text()}`;
  };
  const exchanges = (): number => select(bed.wire.entries(), { endpoint: "idp.exchange" }).length;
  bed.latency = 30;
  const answers = await Promise.all(Array.from({ length: 20 }, () => call()));
  const seen = new Set(answers.map((answer) => `${answer.slice(0, 3)} ${/token-\d+/.exec(answer)?.[0]}`));
  assertEquals([...seen], ["200 token-1"], answers[0]);
  assertEquals(exchanges(), 1);
  await call();
  assertEquals(exchanges(), 1);
  // whoever was getting one goes away, and another takes its turn
  bed.revokeAccessTokens();
  const hold = bed.faults.hold("as.token");
  const stalled = bed.wire.nextStall("as.token");
  const caller = new AbortController();
  const gone = call(caller.signal).then(() => "answered", () => "gone");
  await stalled;
  caller.abort();
  assertEquals(await gone, "gone");
  hold.release();
  const next = await call();
  assert(next.startsWith("200") && !next.includes('token-1\\"'), next);
  const secrets = bed.secretsInPlay();
  assertEquals(secrets.filter((secret) => worker.output().includes(secret)), []);
});
