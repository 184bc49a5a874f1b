/**
 * Two minutes of the host under everything at once: ten threads with different accounts and turns at twenty servers,
 * some of which crash, hang, flood or change their tools, while people switch accounts and the configuration changes.
 * Every call arrives under what it was issued under, ends in time, and answers who asked; nothing is left, and
 * nothing grows.
 *
 * The rules are those of `scripts/soak/`; `deno task soak:host` does the same for ten minutes. `HOST_SOAK_SECONDS`
 * makes it shorter for a quick look, and `HOST_SOAK_SEED` gives other decisions.
 *
 * @module
 */

import { assertEquals, assertStringIncludes } from "@std/assert";
import { test } from "node:test";
import { path } from "../../fixtures/codex_host/servers.ts";

const SECONDS = 120;

/** Seconds more that a busy machine may take for the beginning, the rests and the end. */
const SLACK = 360;

test("a soak of the host: every rule holds", { timeout: (SECONDS + SLACK + 30) * 1_000 }, async () => {
  const seconds = Math.min(SECONDS, Number(Deno.env.get("HOST_SOAK_SECONDS") ?? SECONDS));
  const seed = Deno.env.get("HOST_SOAK_SEED") ?? "20260728";
  const { code, stdout } = await new Deno.Command(Deno.execPath(), {
    args: [
      "run",
      "--quiet",
      "-A",
      "--v8-flags=--expose-gc",
      "--config",
      path("deno.json"),
      path("scripts/soak/main.ts"),
      String(seconds),
      seed,
    ],
    env: { NO_COLOR: "1" },
    stdin: "null",
    stderr: "inherit",
    signal: AbortSignal.timeout((seconds + SLACK) * 1_000),
  }).output();
  const text = new TextDecoder().decode(stdout);
  assertEquals(code, 0, text);
  assertStringIncludes(text, "held     no violation: 0");
});
