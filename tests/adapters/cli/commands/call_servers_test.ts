import { assertEquals } from "@std/assert";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { createLauncher } from "../../../fixtures/launchers/mod.ts";
import { Stage } from "../host/stage.ts";

const ROOT = fileURLToPath(new URL("../../../..", import.meta.url));

test(
  "sandboxed tools of every line of the SDK run under the policy of the call",
  { timeout: 120_000 },
  async () => {
    await using stage = await Stage.create();
    const launcher = await createLauncher({ folder: stage.path("bin") });
    const flags = ["run", "-A", "--no-lock", "--no-check", "--config", `${ROOT}/deno.json`];
    const directory = JSON.stringify(stage.environment["DENO_DIR"]);
    const files = ["no_sdk", "sdk_v1", "sdk_v2"];
    await stage.configure(
      ...files.map((name) =>
        `[mcp_servers.${name}]\ncommand = ${
          JSON.stringify(Deno.execPath())
        }\nenv = { DENO_DIR = ${directory} }\n` +
        `args = ${JSON.stringify([...flags, `${ROOT}/examples/servers/${name}.ts`])}\n`
      ),
    );
    for (const [index, name] of files.entries()) {
      const words = [
        "call",
        name,
        "exec",
        '{"command": ["echo", "hi"]}',
        "--json",
        "--codex",
        launcher.executable,
      ];
      const { code, stdout, stderr } = await stage.run(words);
      assertEquals([code, stderr], [0, ""], stdout);
      assertEquals(JSON.parse(stdout).structuredContent.stdout, "hi\n", name);
      const calls = await launcher.calls();
      assertEquals(calls.length, index + 1);
      assertEquals(calls.every(({ args }) => args.join(" ").includes("restricted")), true, "read-only");
      const refused = await stage.run(words.slice(0, 4));
      assertEquals([refused.code, refused.stdout, /LAUNCHER_MISSING/.test(refused.stderr)], [1, "", true]);
    }
  },
);
