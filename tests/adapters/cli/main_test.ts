import { assertEquals, assertMatch } from "@std/assert";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { createProcesses } from "../../../adapters/deno/mod.ts";
import { runProcess } from "../../../adapters/sandbox/run.ts";

const MAIN = fileURLToPath(new URL("../../../adapters/cli/main.ts", import.meta.url));

async function evaluate(code: string, flags: readonly string[]): Promise<readonly [number | null, string]> {
  const config = fileURLToPath(new URL("../../../deno.json", import.meta.url));
  const args = ["run", "--quiet", "--no-prompt", "--config", config, ...flags, "-"];
  const outcome = await runProcess(createProcesses(), { executable: Deno.execPath(), args }, {
    environment: { ...Deno.env.toObject(), NO_COLOR: "1" },
    stdin: new TextEncoder().encode(code),
    maxOutputBytes: 1 << 20,
  });
  return [
    outcome.exitCode,
    new TextDecoder().decode(outcome.stdout) + new TextDecoder().decode(outcome.stderr),
  ];
}

test("importing the program runs nothing and asks for no permission", { timeout: 60_000 }, async () => {
  const code = `import { main } from ${JSON.stringify(MAIN)}; console.log(typeof main);`;
  assertEquals(await evaluate(code, []), [0, "function\n"]);
});

test("main gives back the exit code and leaves the program running", { timeout: 60_000 }, async () => {
  const code = `const { main } = await import(${JSON.stringify(MAIN)});
    console.log(await main(["--version"]), await main(["nope"]));`;
  const [exitCode, output] = await evaluate(code, ["--allow-all"]);
  assertEquals(exitCode, 0);
  assertMatch(output, /^codex-mcp \d+\.\d+\.\d+\n0 2\n/);
  assertMatch(output, /There is no command "nope"/);
});
