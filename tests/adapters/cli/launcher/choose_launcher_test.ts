import { assertEquals, assertMatch } from "@std/assert";
import { symlink } from "node:fs/promises";
import { join, relative } from "node:path";
import { test } from "node:test";
import { chooseLauncher } from "../../../../adapters/cli/launcher/choose_launcher.ts";
import { createLauncher } from "../../../fixtures/launchers/mod.ts";
import { runtimeOf, withFolders } from "../cli_process.ts";

const limit = { timeout: 60_000 };

test("a named launcher is chosen by its real path, after one probe", limit, async () => {
  await withFolders(["bin", "project"], async (folder = "", workspace = "") => {
    const launcher = await createLauncher({ folder });
    await symlink(launcher.executable, join(folder, "alias"));
    const names = [launcher.executable, join(folder, "alias"), relative(Deno.cwd(), launcher.executable)];
    for (const named of names) {
      const choice = await chooseLauncher(runtimeOf(), { named, workspace, writableRoots: [workspace] });
      assertEquals(choice, { executable: launcher.executable });
    }
    assertEquals(await launcher.probes(), 3);
  });
});

test(
  "what lies in the workspace or in a writable root is not even probed, whatever link leads there",
  limit,
  async () => {
    await withFolders(["bin", "project/bin", "writable"], async (bin = "", project = "", writable = "") => {
      const inside = await createLauncher({ folder: project });
      const loose = await createLauncher({ folder: writable });
      const workspace = join(project, "..");
      await symlink(inside.executable, join(bin, "inside"));
      await symlink(writable, join(bin, "loose"));
      const reasonOf = async (named: string) => {
        const { executable, reasons } = await chooseLauncher(runtimeOf(), {
          named,
          workspace,
          writableRoots: [workspace, writable],
        });
        assertEquals([executable, reasons?.length], [undefined, 1]);
        return reasons![0]!;
      };
      for (const named of [inside.executable, join(bin, "inside")]) {
        assertMatch(await reasonOf(named), /lies in the workspace/);
      }
      for (const named of [loose.executable, join(bin, "loose", "codex")]) {
        assertMatch(await reasonOf(named), /which the policy makes writable/);
      }
      assertEquals([await inside.probes(), await loose.probes()], [0, 0]);
    });
  },
);

test(
  "a launcher that is missing, a folder, a batch file or no Codex CLI is told with its path",
  limit,
  async () => {
    await withFolders(["bin", "project"], async (folder = "", workspace = "") => {
      const { executable } = await createLauncher({ folder, probe: "exit 1" });
      const batch = await createLauncher({ folder, name: "codex.cmd" });
      const flaws = [
        [executable, /did not answer as a Codex CLI/],
        [join(folder, "missing"), /does not exist/],
        [folder, /is not a file/],
        [batch.executable, /is a batch file/],
      ] as const;
      for (const [named, flaw] of flaws) {
        const { reasons = [] } = await chooseLauncher(runtimeOf(), { named, workspace, writableRoots: [] });
        assertEquals(reasons.length, 1);
        assertMatch(reasons[0]!, flaw);
        assertEquals(reasons[0]!.includes(JSON.stringify(named)), true);
      }
    });
  },
);

test("without a name the installed ones are tried in turn, and a decoy is passed over", limit, async () => {
  await withFolders(
    ["decoy", "project", "bin", "none"],
    async (a = "", workspace = "", b = "", none = "") => {
      const decoy = await createLauncher({ folder: a, probe: "exit 3" });
      const inside = await createLauncher({ folder: workspace });
      const good = await createLauncher({ folder: b });
      const runtime = runtimeOf({ environment: { PATH: [a, workspace, b].join(":"), DENO_DIR: none } });
      const choice = await chooseLauncher(runtime, { workspace, writableRoots: [] });
      assertEquals(choice, { executable: good.executable });
      assertEquals([await decoy.probes(), await inside.probes(), await good.probes()], [1, 0, 1]);
      const fewer = runtimeOf({ environment: { PATH: [a, workspace].join(":"), DENO_DIR: none } });
      assertEquals((await chooseLauncher(fewer, { workspace, writableRoots: [] })).reasons?.length, 2);
      const nothing = runtimeOf({ environment: { PATH: none, DENO_DIR: none } });
      const { reasons } = await chooseLauncher(nothing, { workspace, writableRoots: [] });
      assertEquals(reasons?.length, 1);
      assertMatch(reasons![0]!, /No Codex CLI is known\. Install one/);
    },
  );
});

test("a probe gets no hooks and no relative PATH", limit, async () => {
  await withFolders(["bin", "project", "none"], async (folder = "", workspace = "", none = "") => {
    const probe = '[ -z "$LD_PRELOAD_X$SECRET" ] && [ "$PATH" = /usr/bin:/bin ]; exit $?';
    const { executable } = await createLauncher({ folder, probe });
    const environment = { PATH: "x:/usr/bin:/bin:.", SECRET: "s", LD_PRELOAD_X: "s", DENO_DIR: none };
    const choice = await chooseLauncher(runtimeOf({ environment }), {
      named: executable,
      workspace,
      writableRoots: [],
    });
    assertEquals(choice, { executable });
  });
});

test("npm's script, when it is named, stands for the executable behind it", limit, async () => {
  await withFolders(["modules", "project"], async (modules = "", workspace = "") => {
    const architecture = Deno.build.arch;
    const folder = join(
      modules,
      "@openai",
      "codex-linux",
      "vendor",
      `${architecture}-unknown-linux-musl`,
      "bin",
    );
    const { executable } = await createLauncher({ folder });
    const script = await createLauncher({
      folder: join(modules, "@openai", "codex", "bin"),
      name: "codex.js",
    });
    const search = { named: script.executable, workspace, writableRoots: [] };
    assertEquals(await chooseLauncher(runtimeOf(), search), { executable });
    assertEquals(await script.probes(), 0);
  });
});
