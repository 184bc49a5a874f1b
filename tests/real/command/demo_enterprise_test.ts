/**
 * The demonstration of enterprise-managed authorization shows what it promises.
 *
 * @module
 */

import { assert, assertEquals, assertMatch } from "@std/assert";
import { test } from "node:test";
import { path } from "../../fixtures/codex_host/servers.ts";

test("deno task demo:enterprise shows nine scenes and exits with 0", { timeout: 120_000 }, async () => {
  const { code, stdout } = await new Deno.Command(Deno.execPath(), {
    args: ["task", "--quiet", "--config", path("deno.json"), "demo:enterprise"],
    env: { NO_COLOR: "1" },
    stdin: "null",
    stderr: "null",
  }).output();
  const text = new TextDecoder().decode(stdout);
  assertEquals(code, 0, text);
  const scenes = text.split("\n\n").filter((part) => part.startsWith("as it must: "));
  assertEquals(scenes.length, 9, text);
  const [before = "", signedIn = "", called = "", ready = "", refused = "", status = "", back = ""] = scenes;
  assertMatch(before, /SIGN_IN_REQUIRED: /);
  assertMatch(signedIn, /signed in as alice@acme\.example/);
  assertMatch(called, /"account":"alice".*\n.*idp\.exchange, as\.token, mcp\.endpoint/);
  assertMatch(ready, /ready: Signed in/);
  assertMatch(refused, /SIGN_IN_REQUIRED: /);
  assertMatch(status, /signed-out: Not signed in with this account/);
  assertMatch(back, /REAUTHORIZATION_REQUIRED: .*account-changed/);
  assert(!/eyJ|at-[0-9a-f]{8}/.test(text), text);
});
