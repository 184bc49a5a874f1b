/**
 * Plays the Worker of `examples/worker`: starts it in workerd over the enterprise test bed, calls a tool as two people
 * and as nobody, and prints what came. `scripts/demo/example.ts` is what starts it.
 *
 * @module
 */

import { select, startEnterpriseBed } from "../../tests/fixtures/enterprise/mod.ts";
import { signIn } from "../../tests/fixtures/enterprise/trace/trace.ts";
import { startWorker } from "./worker_process.ts";

/** Plays it to its end, and gives its exit status. */
export async function playWorker(): Promise<number> {
  await using bed = await startEnterpriseBed();
  await using worker = await startWorker(bed, "examples/worker/worker.ts");
  // what the sign-in in front of the Worker hands on
  const alice = (await signIn(bed, { login_hint: "alice" })).tokens?.["id_token"];
  const bob = (await signIn(bed, { login_hint: "bob" })).tokens?.["id_token"];
  for (const [name, idToken] of [["alice", alice], ["alice", alice], ["bob", bob], ["nobody", "none"]]) {
    bed.wire.clear();
    const answer = await fetch(`${worker.url}/tools/whoami`, {
      method: "POST",
      headers: { authorization: `Bearer ${idToken}` },
      body: "{}",
    });
    const exchanges = select(bed.wire.entries(), { endpoint: "idp.exchange" }).length;
    console.log(`${name}: ${answer.status}, exchanges: ${exchanges}, ${await answer.text()}`);
  }
  return 0;
}
