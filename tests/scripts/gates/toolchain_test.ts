import { assertEquals } from "@std/assert";
import { test } from "node:test";
import { checkToolchain, readToolchain } from "../../../scripts/gates/toolchain.ts";
import { findingsIn, lines } from "./_seed.ts";

test("toolchain gate: one version everywhere passes", async () => {
  assertEquals(await findingsIn(checkToolchain), []);
});

test("toolchain gate: every file that differs is found", async () => {
  const files = {
    "deno.json": JSON.stringify({ imports: { "@openai/codex": "npm:@openai/codex@1.0.0" } }),
    "scripts/toolchain.json": JSON.stringify({ deno: "9.9.9", codex: "1.0.0", node: ["20"] }),
    ".ci/run": "npx -y deno@9.8.7 task test # scripts/toolchain.json\n",
  };
  assertEquals(lines(await findingsIn(checkToolchain, files)), [
    "deno.json imports @openai/codex, which every command would then fetch: over 400 MB",
    "README.md names Deno as 9.8.7",
    ".ci/run does not take its versions from the list",
  ]);
});

test("toolchain: the versions are read from the list", async () => {
  await findingsIn((root) => {
    const { deno, codex, node } = readToolchain(root);
    assertEquals({ deno, codex, node }, { deno: "9.8.7", codex: "0.171.0", node: ["20"] });
    return [];
  });
});
