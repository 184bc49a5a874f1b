/**
 * The demonstration shows what it promises.
 *
 * @module
 */

import { assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
import { test } from "node:test";
import { realCodex } from "../../fixtures/codex_host/codex.ts";
import { createPlace } from "../../fixtures/codex_host/place.ts";
import { path } from "../../fixtures/codex_host/servers.ts";
import { LIMIT } from "../codex/turns.ts";

test("deno task demo shows four outcomes and exits with 0", LIMIT, async () => {
  await using place = await createPlace();
  await realCodex();
  const { code, stdout } = await new Deno.Command(Deno.execPath(), {
    args: ["task", "--quiet", "--config", path("deno.json"), "demo"],
    env: { NO_COLOR: "1", CODEX_HOME: place.home },
    stdin: "null",
    stderr: "inherit",
  }).output();
  const text = new TextDecoder().decode(stdout);
  assertEquals(code, 0, text);
  const outcomes = text.split("\n\n").filter((part) => part.startsWith("as it must: "));
  assertEquals(outcomes.length, 4, text);
  const [inside = "", outside = "", network = "", withheld = ""] = outcomes;
  assertStringIncludes(inside, "exit 0, sandboxed true: written");
  assertMatch(outside, /exit [1-9]\d*, sandboxed true: /);
  assertStringIncludes(network, "sandboxed true: closed");
  assertStringIncludes(withheld, "refused: LAUNCHER_MISSING: ");
});
