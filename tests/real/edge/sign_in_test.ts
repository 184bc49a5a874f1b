/**
 * Signing in within workerd: authorization code with PKCE, and tokens that somebody else obtained.
 *
 * @module
 */

import { assertEquals } from "@std/assert";
import { test } from "node:test";
import { startWorker } from "../../../scripts/demo/worker_process.ts";
import { startEnterpriseBed } from "../../fixtures/enterprise/mod.ts";

test("a sign-in in workerd is verified, its tokens are imported again, and a forged one is refused", async () => {
  await using bed = await startEnterpriseBed();
  await using worker = await startWorker(bed, "tests/real/edge/sign_in.ts");
  const post = async (path: string, body: string): Promise<string> =>
    await (await fetch(`${worker.url}${path}`, { method: "POST", body })).text();
  const callback = await bed.browse(await post("/begin", "http://127.0.0.1:8765/callback"));
  const alice = { user: "user-alice", workspace: "acme" };
  assertEquals(JSON.parse(await post("/finish", callback.href)), {
    owners: [alice, alice, alice],
    forged: "IDENTITY_REFUSED",
    isRotated: true,
  });
  assertEquals(bed.secretsInPlay().filter((secret) => worker.output().includes(secret)), []);
});
