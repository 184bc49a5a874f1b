import { assertEquals } from "@std/assert";
import process from "node:process";
import { test } from "node:test";
import { NODE_CONSOLE } from "../../../../adapters/cli/terminal/console.ts";

test("the console of Node is this process's", () => {
  assertEquals(NODE_CONSOLE.isTerminal("stderr"), process.stderr.isTTY === true);
  assertEquals(NODE_CONSOLE.variable("PATH"), process.env["PATH"]);
  assertEquals(NODE_CONSOLE.variable("CODEX_MCP_NOT_THERE"), undefined);
});

test("the first failure to write standard output is remembered, by its code", async () => {
  const watch = NODE_CONSOLE.watch();
  await watch.settle();
  assertEquals(watch.failure(), undefined);
  process.stderr.emit("error", Object.assign(new Error("full"), { code: "ENOSPC" }));
  assertEquals(watch.failure(), undefined);
  process.stdout.emit("error", Object.assign(new Error("broken"), { code: "EPIPE" }));
  process.stdout.emit("error", Object.assign(new Error("full"), { code: "ENOSPC" }));
  assertEquals(watch.failure(), "EPIPE");
  await watch.settle();
});
