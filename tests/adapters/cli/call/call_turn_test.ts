import { assert, assertEquals, assertRejects } from "@std/assert";
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";
import { prepareTurn } from "../../../../adapters/cli/call/call_turn.ts";
import type { ServerReport } from "../../../../adapters/mcp/host/servers/server_report.ts";
import { SandboxError } from "../../../../core/errors.ts";
import { createLauncher } from "../../../fixtures/launchers/mod.ts";
import { runtimeOf, withFolders } from "../cli_process.ts";

const limit = { timeout: 60_000 };
const LOCAL = { transport: "stdio", environment: "local" } as ServerReport;

interface Given {
  readonly flags?: Readonly<Record<string, string>>;
  readonly report?: ServerReport | undefined;
  readonly environment?: Readonly<Record<string, string>>;
  /** Whether the server asks for the state; absent: it does. */
  readonly accepts?: () => Promise<boolean>;
}

/** Prepares a turn in `directory`, on a machine without an installed Codex CLI. */
function turnIn(
  directory: string,
  { flags = {}, report, environment = {}, accepts = () => Promise.resolve(true) }: Given,
) {
  const runtime = runtimeOf({ environment: { PATH: "/nowhere", HOME: "/nowhere", ...environment } });
  const { signal } = new AbortController();
  const options = { flags: { value: (name: string) => flags[name] }, directory, report, accepts, signal };
  return prepareTurn(runtime, options);
}

test(
  "read-only and the local environment, unless it is said otherwise",
  limit,
  () =>
    withFolders(["project"], async (directory = "") => {
      const { turn } = await turnIn(directory, {});
      const state = JSON.parse(turn.stateText ?? "");
      assertEquals([turn.environment, turn.workspace, turn.launcher], ["local", directory, undefined]);
      assertEquals(state.permissionProfile.file_system.entries.length, 1);
      assertEquals(state.sandboxCwd, `file://${directory}`);
      const far = await turnIn(directory, { flags: { environment: "farm", policy: "workspace-write" } });
      assertEquals([far.turn.environment, far.turn.writableRoots?.includes(directory)], ["farm", true]);
    }),
);

test(
  "a file goes out as its exact text",
  limit,
  () =>
    withFolders(["project", "policies"], async (directory = "", policies = "") => {
      const policy = join(policies, "p.json");
      const text = '{ "n" : 9007199254740993 }\n';
      await writeFile(policy, text);
      assertEquals((await turnIn(directory, { flags: { policy } })).turn.stateText, text);
      await writeFile(policy, "{");
      const error = await assertRejects(() => turnIn(directory, { flags: { policy } }), SandboxError);
      assertEquals(error.code, "STATE_INEXACT");
    }),
);

test(
  "a launcher is looked for when the server may need one, and its absence is no error",
  limit,
  () =>
    withFolders(["project", "bin"], async (directory = "", folder = "") => {
      const launcher = await createLauncher({ folder });
      const environment = { PATH: folder };
      const others = [
        undefined,
        { ...LOCAL, transport: "http" } as ServerReport,
        { ...LOCAL, environment: "farm" } as ServerReport,
      ];
      for (const report of others) {
        assertEquals((await turnIn(directory, { report, environment })).noLauncher, []);
      }
      const flags = { environment: "farm" };
      await turnIn(directory, { report: LOCAL, environment, flags });
      assertEquals(await launcher.probes(), 0);
      const { turn, noLauncher } = await turnIn(directory, { report: LOCAL, environment });
      assertEquals([turn.launcher, noLauncher], [launcher.executable, []]);
      assertEquals(JSON.parse(turn.stateText ?? "").codexLinuxSandboxExe, launcher.executable);
      const without = await turnIn(directory, { report: LOCAL });
      assertEquals([without.turn.launcher, without.noLauncher.length], [undefined, 1]);
    }),
);

test(
  "a server that does not ask for the state needs none, and is not asked where it cannot",
  limit,
  () =>
    withFolders(["project", "bin"], async (directory = "", folder = "") => {
      const launcher = await createLauncher({ folder });
      const environment = { PATH: folder };
      let asked = 0;
      const accepts = () => Promise.resolve(++asked === 0);
      const { turn, noLauncher } = await turnIn(directory, { report: LOCAL, environment, accepts });
      assertEquals([turn.launcher, noLauncher, asked], [undefined, [], 1]);
      const others = [undefined, { ...LOCAL, transport: "http" }, { ...LOCAL, state: "disabled" }];
      for (const report of others) {
        await turnIn(directory, { report: report as ServerReport | undefined, environment, accepts });
      }
      assertEquals([asked, await launcher.probes()], [1, 0]);
      // one that is named is looked at without asking the server
      const flags = { codex: launcher.executable };
      const named = await turnIn(directory, { report: LOCAL, environment, flags, accepts });
      assertEquals([named.turn.launcher, asked], [launcher.executable, 1]);
      const failing = { report: LOCAL, environment, accepts: () => Promise.reject(new TypeError("down")) };
      await assertRejects(() => turnIn(directory, failing), TypeError, "down");
    }),
);

test("one that is named has to be one", limit, () =>
  withFolders(["project"], async (directory = "") => {
    const flags = { codex: join(directory, "missing") };
    const error = await assertRejects(() => turnIn(directory, { report: LOCAL, flags }), SandboxError);
    assertEquals(error.code, "LAUNCHER_INVALID");
    assertEquals((await turnIn(directory, { flags })).noLauncher, []);
  }));

test(
  "none is sent when a command could change Codex's configuration",
  limit,
  () =>
    withFolders(["project", "bin"], async (directory = "", folder = "") => {
      await createLauncher({ folder });
      const home = join(directory, "home");
      await mkdir(home);
      const environment = { PATH: folder, CODEX_HOME: home };
      const flags = { policy: "workspace-write" };
      const { turn, noLauncher } = await turnIn(directory, { report: LOCAL, environment, flags });
      assertEquals(turn.launcher, undefined);
      assert(noLauncher[0]?.startsWith("CODEX_HOME lies"));
      assertEquals((await turnIn(directory, { report: LOCAL, environment })).noLauncher, []);
    }),
);
