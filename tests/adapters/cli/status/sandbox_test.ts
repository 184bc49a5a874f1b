import { assertEquals, assertMatch } from "@std/assert";
import { join } from "node:path";
import { test } from "node:test";
import { readFlags } from "../../../../adapters/cli/program/flags.ts";
import { sandboxStanding } from "../../../../adapters/cli/status/sandbox.ts";
import { createLauncher } from "../../../fixtures/launchers/mod.ts";
import { runtimeOf, withFolders } from "../cli_process.ts";

const limit = { timeout: 60_000 };

test(
  "an installed launcher is found; a missing one counts only when it was named",
  limit,
  () =>
    withFolders(["bin", "empty"], async (folder = "", empty = "") => {
      const launcher = await createLauncher({ folder });
      const standing = async (path: string, line: readonly string[] = []) => {
        const runtime = runtimeOf({ environment: { PATH: path, HOME: empty } });
        return await sandboxStanding(runtime, readFlags(line, { values: ["codex"] }));
      };
      assertEquals(await standing(folder), {
        launcher: launcher.executable,
        message: `${launcher.executable} answers as a Codex CLI.`,
        next: null,
        exitCode: 0,
      });
      const none = await standing(empty);
      assertEquals([none.launcher, none.next, none.exitCode], [null, "codex-mcp doctor", 0]);
      assertMatch(none.message, /\. Look with: codex-mcp doctor$/);
      const named = await standing(folder, ["--codex", join(empty, "missing")]);
      assertEquals([named.launcher, named.exitCode], [null, 3]);
      assertEquals((await launcher.calls()).length, 0);
    }),
);
