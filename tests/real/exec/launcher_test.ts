/**
 * Which launcher `codex-mcp exec` takes, with the real Codex CLI and things that are none.
 *
 * @module
 */

import { assertEquals, assertStringIncludes } from "@std/assert";
import { dirname, join, relative } from "node:path";
import { test } from "node:test";
import { realCodex } from "../../fixtures/codex_host/codex.ts";
import { createPlace, exists, type Place } from "../../fixtures/codex_host/place.ts";
import { removeFolder } from "../../fixtures/remove_folder.ts";
import { LIMIT } from "../codex/turns.ts";
import { type CommandLineResult, runCommandLine } from "../command_line.ts";

/** Puts a script there that leaves a mark when it runs, and fails the probe unless `answer` is 0. */
async function plant(path: string, mark: string, { answer }: { readonly answer: number }): Promise<void> {
  await Deno.writeTextFile(path, `#!/bin/sh\n: > '${mark}'\nexit ${answer}\n`);
  await Deno.chmod(path, 0o755);
}

/** Runs `exec` with this launcher; what it would run leaves a file. */
async function tryLauncher(place: Place, launcher: string): Promise<CommandLineResult> {
  const command = ["/bin/sh", "-c", ': > "$1"', "sh", join(place.workspace, "ran")];
  const words = ["exec", "--policy", "workspace-write", "--codex", launcher, "--", ...command];
  return await runCommandLine(place, words);
}

/** What is wrong with a launcher, and how it is made. */
const FLAWS: Readonly<
  Record<string, {
    readonly says: string;
    readonly runs: boolean;
    readonly make: (place: Place, mark: string) => Promise<string>;
  }>
> = {
  "a relative path into the workspace": {
    says: "lies in the workspace",
    runs: false,
    make: async (place, mark) => {
      await plant(join(place.workspace, "codex"), mark, { answer: 0 });
      return "codex";
    },
  },
  "a link out of the workspace into it": {
    says: "lies in the workspace",
    runs: false,
    make: async (place, mark) => {
      await plant(join(place.workspace, "codex"), mark, { answer: 0 });
      const link = join(place.outside, "codex");
      await Deno.symlink(join(place.workspace, "codex"), link);
      return link;
    },
  },
  "a file under a temporary folder": {
    says: "which the policy makes writable",
    runs: false,
    make: async (_place, mark) => {
      const folder = await Deno.makeTempDir({ dir: "/tmp", prefix: "codex-mcp-launcher-" });
      await plant(join(folder, "codex"), mark, { answer: 0 });
      return join(folder, "codex");
    },
  },
  "a path where nothing is": {
    says: "does not exist",
    runs: false,
    make: (place) => Promise.resolve(join(place.outside, "codex")),
  },
  "a folder": { says: "is not a file", runs: false, make: (place) => Promise.resolve(place.outside) },
  "a batch file": {
    says: "batch file",
    runs: false,
    make: async (place, mark) => {
      await plant(join(place.outside, "codex.cmd"), mark, { answer: 0 });
      return join(place.outside, "codex.cmd");
    },
  },
  "a file that is no program": {
    says: "did not answer",
    runs: false,
    make: async (place) => {
      await Deno.writeTextFile(join(place.outside, "codex"), "codex");
      return join(place.outside, "codex");
    },
  },
  "a program that fails the probe": {
    says: "did not answer",
    runs: true,
    make: async (place, mark) => {
      await plant(join(place.outside, "codex"), mark, { answer: 1 });
      return join(place.outside, "codex");
    },
  },
};

for (const [flaw, { says, runs, make }] of Object.entries(FLAWS)) {
  test(`--codex refuses ${flaw}`, LIMIT, async () => {
    await using place = await createPlace();
    const mark = join(place.folder, "mark");
    const launcher = await make(place, mark);
    try {
      const { code, stdout, stderr } = await tryLauncher(place, launcher);
      assertEquals([code, stdout], [125, ""]);
      assertStringIncludes(stderr, "LAUNCHER_INVALID: ");
      assertStringIncludes(stderr, says);
      assertEquals(await exists(join(place.workspace, "ran")), false);
      assertEquals(await exists(mark), runs, "whether the launcher itself was started");
    } finally {
      if (launcher.startsWith("/tmp/")) await removeFolder(dirname(launcher));
    }
  });
}

test("--codex takes a relative path to a real one, and a link to it", LIMIT, async () => {
  await using place = await createPlace();
  const link = join(place.outside, "my-codex");
  await Deno.symlink(await realCodex(), link);
  for (const launcher of [relative(place.workspace, await realCodex()), link]) {
    const { code, stderr } = await tryLauncher(place, launcher);
    assertEquals([code, stderr], [0, ""]);
  }
});

test("--codex takes what npm puts on PATH for the executable behind it", LIMIT, async () => {
  await using place = await createPlace();
  // as npm lays a package out: a script, and the executable in a package of the platform's own beside it
  const scope = join(place.folder, "lib", "node_modules", "@openai");
  const platform = (await realCodex()).split("/vendor/")[0]!;
  await Deno.mkdir(join(scope, "codex", "bin"), { recursive: true });
  await Deno.writeTextFile(join(scope, "codex", "bin", "codex.js"), "#!/bin/sh\nexit 1\n", { mode: 0o755 });
  await Deno.symlink(platform, join(scope, "codex-platform"));
  await Deno.mkdir(join(place.folder, "bin"));
  const link = join(place.folder, "bin", "codex");
  await Deno.symlink("../lib/node_modules/@openai/codex/bin/codex.js", link);
  const { code, stderr } = await tryLauncher(place, link);
  assertEquals([code, stderr], [0, ""]);
  assertEquals(await exists(join(place.workspace, "ran")), true);
});

test("a decoy that is first on PATH is not started when a launcher is named", LIMIT, async () => {
  await using place = await createPlace();
  const mark = join(place.folder, "mark");
  await plant(join(place.outside, "codex"), mark, { answer: 0 });
  const words = ["exec", "--codex", await realCodex(), "--", "/bin/echo", "ran"];
  const environment = { PATH: `${place.outside}:${Deno.env.get("PATH")}` };
  const { code, stdout } = await runCommandLine(place, words, { environment });
  assertEquals([code, stdout], [0, "ran\n"]);
  assertEquals(await exists(mark), false);
});

test("an installed Codex CLI is found when none is named", LIMIT, async () => {
  await using place = await createPlace();
  await realCodex();
  const environment = { PATH: "/usr/bin:/bin" };
  const { code, stdout, stderr } = await runCommandLine(place, ["exec", "--", "/bin/echo", "ran"], {
    environment,
  });
  assertEquals([code, stdout, stderr], [0, "ran\n", ""]);
});
