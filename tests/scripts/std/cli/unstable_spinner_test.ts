import { assertEquals } from "@std/assert";
import { Spinner } from "@std/cli/unstable-spinner";
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

test("a spinner draws at once, where it is told, and clears its line", async () => {
  const code = `import { Spinner } from "@std/cli/unstable-spinner";
    const spinner = new Spinner({ message: "wait", spinner: ["*"], interval: 60_000, output: Deno.stderr });
    spinner.start(); spinner.start(); spinner.stop(); spinner.stop();`;
  assertEquals(await runProgram(code), { stdout: "", stderr: "\r\u001b[K* wait\r\u001b[K" });
});

test("a spinner writes to standard output by default", async () => {
  const code = `import { Spinner } from "@std/cli/unstable-spinner";
    const spinner = new Spinner({ message: "wait", spinner: ["*"], interval: 60_000 });
    spinner.start(); spinner.stop();`;
  assertEquals((await runProgram(code)).stdout, "\r\u001b[K* wait\r\u001b[K");
});

test("a spinner's color is its escape sequence, its message may change", () => {
  const spinner = new Spinner({ message: "a", color: "yellow" });
  assertEquals(spinner.color, "\u001b[33m");
  spinner.color = undefined;
  assertEquals(spinner.color, undefined);
  spinner.message = "b";
  assertEquals(spinner.message, "b");
});
