import { assertEquals } from "@std/assert";
import { existsSync } from "node:fs";
import { test } from "node:test";
import { createConsole } from "../../../adapters/deno/console.ts";

const MODULE = new URL("../../../adapters/deno/console.ts", import.meta.url).href;

/** Runs a program that has a `console`, with a shell around it; `shell` is what follows it there. */
async function run(code: string, shell = ""): Promise<{ readonly out: string; readonly err: string }> {
  const program = `import { createConsole } from ${JSON.stringify(MODULE)};\n` +
    `const own = createConsole();\nconst watch = own.watch();\n${code}`;
  const args = ["-c", `exec "$@" ${shell}`, "sh", Deno.execPath(), "eval", "--no-config", program];
  const { stdout, stderr } = await new Deno.Command("/bin/sh", { args, stdin: "null" }).output();
  return { out: new TextDecoder().decode(stdout), err: new TextDecoder().decode(stderr) };
}

test("the console of Deno writes everything, text and bytes, in order", async () => {
  const { out, err } = await run(
    'own.write("stdout", "ä".repeat(200_000));\nown.write("stdout", Uint8Array.of(0x21));\n' +
      'own.write("stderr", String(watch.failure()));\nDeno.exit(0);',
  );
  assertEquals([out.length, out.endsWith("ä!"), err], [200_001, true, "undefined"]);
});

test("a failure to write ends nothing, and the one of standard output is remembered", {
  skip: !existsSync("/dev/full"),
}, async () => {
  const code = 'own.write("stdout", "x");\nown.write("stderr", `told ${watch.failure()}`);';
  assertEquals((await run(code, ">/dev/full")).err, "told ENOSPC");
  const other = 'own.write("stderr", "x");\nown.write("stdout", `told ${watch.failure()}`);';
  assertEquals((await run(other, "2>/dev/full")).out, "told undefined");
  const until = `while (watch.failure() === undefined) own.write("stdout", "x");\n${code}`;
  assertEquals((await run(until, "| exec true")).err, "told EPIPE");
});

test("variables are this process's", () => {
  assertEquals(createConsole().variable("PATH"), Deno.env.get("PATH"));
  assertEquals(createConsole().variable("CODEX_MCP_NOT_THERE"), undefined);
});
