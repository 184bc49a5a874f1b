import { assert, assertEquals } from "@std/assert";
import { existsSync } from "node:fs";
import { isAbsolute } from "node:path";
import process from "node:process";
import { test } from "node:test";
import { createRuntime, main } from "../../../adapters/cli/node_main.ts";

test("the runtime is this process, and starts its own program again", () => {
  const runtime = createRuntime(["status", "--json"]);
  assertEquals(runtime.args, ["status", "--json"]);
  assertEquals(runtime.environment["PATH"], process.env["PATH"]);
  assert(Object.values(runtime.environment).every((value) => typeof value === "string"));
  const { executable, args: [program = "", ...words] } = runtime.again(["serve", "--x"]);
  assertEquals([executable, words], [process.execPath, ["serve", "--x"]]);
  assert(isAbsolute(program) && existsSync(program), program);
  assert(program.endsWith("/adapters/cli/node_program.ts"), program);
  assertEquals(runtime.evaluate("1 + 1").at(-1), "1 + 1");
  assertEquals(runtime.createSending(() => undefined).loopbackProxy("127.0.0.1"), null);
});

test("main gives back the exit code and leaves this process running", async () => {
  assertEquals(await main(["--version"]), 0);
  assertEquals(await main(["nope"]), 2);
});
