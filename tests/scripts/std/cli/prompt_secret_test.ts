import { assertEquals } from "@std/assert";
import { promptSecret } from "@std/cli/prompt-secret";
import { test } from "node:test";

// These run against whatever "@std/cli" is, so what is asserted here must hold for the real package too.

const ROOT = new URL("../../../..", import.meta.url);

/** Runs a program of Deno whose standard output and error are no terminals. */
async function runProgram(code: string): Promise<{ readonly stdout: string; readonly stderr: string }> {
  const { stdout, stderr } = await new Deno.Command(Deno.execPath(), {
    args: ["eval", "--quiet", code],
    cwd: ROOT,
    env: { NO_COLOR: "1" },
    stdin: "null",
  }).output();
  return { stdout: new TextDecoder().decode(stdout), stderr: new TextDecoder().decode(stderr) };
}

test("promptSecret returns null without a terminal, and prints nothing", async () => {
  const code = `import { promptSecret } from "@std/cli/prompt-secret";
    console.log(promptSecret("Secret:"));`;
  assertEquals(await runProgram(code), { stdout: "null\n", stderr: "" });
  assertEquals(typeof promptSecret, "function");
});
