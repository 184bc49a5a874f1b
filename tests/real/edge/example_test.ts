/**
 * `deno task example worker`, started by the one command that `examples/README.md` gives: what it prints is what the
 * table says.
 *
 * @module
 */

import { assert, assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { runDeno } from "../../../scripts/command.ts";

const ROOT = fileURLToPath(new URL("../../../", import.meta.url));

test("deno task example worker prints what its row says, and no token", async () => {
  const table = await Deno.readTextFile(`${ROOT}examples/README.md`);
  const row = table.split("\n").find((line) => line.includes("`deno task example worker`")) ?? "";
  const [command = "", ...prints] = [...row.matchAll(/`([^`]+)`/g)].map(([, code = ""]) => code);
  const { code, stdout, output } = await runDeno(command.split(" ").slice(1), { directory: ROOT });
  assertEquals(code, 0, output);
  assert(prints.length > 0);
  for (const printed of prints) assertStringIncludes(stdout, printed);
  assertMatch(stdout, /^bob: .*bob.*$/m);
  assert(!/eyJ|"at-/.test(output), "a token was printed");
});
