import { assert, assertEquals, assertMatch, assertRejects } from "@std/assert";
import { readdir, stat } from "node:fs/promises";
import { dirname, join } from "node:path";
import { test } from "node:test";
import { openTrial } from "../../../../adapters/cli/exec/trial.ts";
import { createLauncher } from "../../../fixtures/launchers/mod.ts";
import { runtimeOf, withFolders } from "../cli_process.ts";

const limit = { timeout: 60_000 };

test("a trial has folders of its own, runs the whole chain, and leaves nothing", limit, async () => {
  await withFolders(["bin", "cache"], async (folder = "", XDG_CACHE_HOME = "") => {
    const launcher = await createLauncher({ folder });
    const environment = { ...Deno.env.toObject(), XDG_CACHE_HOME };
    const trial = await openTrial(runtimeOf({ environment }), launcher.executable);
    try {
      assert(trial.workspace.startsWith(join(XDG_CACHE_HOME, "codex-mcp")));
      assertEquals(dirname(trial.workspace), dirname(trial.outside));
      assertEquals([await readdir(trial.workspace), (await stat(trial.outside)).isDirectory()], [[], true]);
      const { result } = await trial.run("workspace-write", ["echo", "hi"]);
      assertEquals([result?.stdout, result?.sandboxed], ["hi\n", true]);
      const [call] = await launcher.calls();
      const state = JSON.parse(call!.args[2]!);
      assertEquals(state.sandboxCwd, `file://${trial.workspace}`);
      assertEquals(call!.args[2]!.includes(trial.outside), false);
      const { refusal = "" } = await trial.run("read-only", ["echo", "hi"], { withholdLauncher: true });
      assertMatch(refusal, /^LAUNCHER_MISSING: /);
    } finally {
      await trial.close();
    }
    assertEquals(await readdir(join(XDG_CACHE_HOME, "codex-mcp")), []);
  });
});

test("a server that cannot be started leaves no folder", limit, async () => {
  await withFolders(["cache"], async (XDG_CACHE_HOME = "") => {
    const again = () => ({ executable: "/missing/server", args: [] });
    const runtime = runtimeOf({ environment: { XDG_CACHE_HOME }, again });
    await assertRejects(() => openTrial(runtime, "/opt/codex"));
    assertEquals(await readdir(join(XDG_CACHE_HOME, "codex-mcp")), []);
  });
});
