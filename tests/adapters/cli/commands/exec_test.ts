import { assert, assertEquals, assertMatch } from "@std/assert";
import { symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";
import { hasEnded } from "../../../contracts/has_ended.ts";
import { createLauncher, type Launcher } from "../../../fixtures/launchers/mod.ts";
import { type CliOptions, type CliOutcome, runCli, withFolders } from "../cli_process.ts";

/** Runs `exec` on a project of its own, with a stand-in that lies outside of it. */
type Exec = (
  flags: readonly string[],
  command: readonly string[],
  options?: CliOptions,
) => Promise<CliOutcome>;

function execTest(
  title: string,
  body: (exec: Exec, launcher: Launcher, project: string) => Promise<void>,
): void {
  test(title, { timeout: 120_000 }, async () => {
    await withFolders(["bin", "project"], async (folder = "", project = "") => {
      const launcher = await createLauncher({ folder });
      const exec: Exec = (flags, command, options = {}) =>
        runCli(["exec", "--codex", launcher.executable, "--cwd", project, ...flags, ...command], options);
      await body(exec, launcher, project);
    });
  });
}

execTest("output and exit status are the command's", async (exec) => {
  const outcome = await exec([], ["--", "sh", "-c", "echo out; echo err >&2; exit 7"]);
  assertEquals(outcome, { exitCode: 7, stdout: "out\n", stderr: "err\n" });
});

execTest("a command that a signal ends shows as shells show it", async (exec) => {
  assertEquals(await exec([], ["--", "sh", "-c", "kill -TERM $$"]), {
    exitCode: 143,
    stdout: "",
    stderr: "",
  });
});

execTest("words of the command stay its own, with and without --", async (exec, launcher) => {
  const command = ["printf", "%s|", "--json", "--", "007", "--policy", "", "a b", "$HOME", "é😀"];
  for (const before of [[], ["--"]]) {
    const { exitCode, stdout, stderr } = await exec([], [...before, ...command]);
    assertEquals([exitCode, stderr], [0, ""]);
    assertEquals(stdout, command.slice(2).map((word) => `${word}|`).join(""));
  }
  for (const { args } of await launcher.calls()) {
    assertEquals([args[0], args[1], args[3]], ["sandbox", "--sandbox-state-json", "--"]);
    assertEquals(args.slice(4), command);
  }
});

execTest("a policy file reaches the launcher as its text, on one line", async (exec, launcher, project) => {
  const policy = join(project, "..", "policy.json");
  const text =
    '{\r\n  "permissionProfile" : {"type":"managed"},\n  "n": 9007199254740993, "e":1e400, "$&":"\\n"\n}';
  await writeFile(policy, `${text}\n`);
  assertEquals((await exec(["--policy", policy], ["true"])).exitCode, 0);
  assertEquals((await launcher.calls())[0]?.args[2], text.replaceAll(/[\r\n]/g, " "));
});

execTest("with --json the result is one document, and the output is in it", async (exec) => {
  const { exitCode, stdout, stderr } = await exec(["--json", "--disable-network"], [
    "sh",
    "-c",
    "echo out; exit 3",
  ]);
  assertEquals([exitCode, stderr], [3, ""]);
  assertEquals(JSON.parse(stdout), {
    exitCode: 3,
    signal: null,
    stdout: "out\n",
    stderr: "",
    truncated: false,
    timedOut: false,
    sandboxed: true,
    setupFailed: "unknown",
    modifiers: ["--sandbox-state-disable-network"],
  });
});

execTest(
  "the operator's flags reach the launcher, and its environment is the base list",
  async (exec, launcher) => {
    const flags = [
      "--readable-root",
      "/a b",
      "--readable-root=/c",
      "--pass-env",
      "KEPT",
      "--max-output",
      "3",
    ];
    const environment = { KEPT: "kept", SECRET: "secret", LD_PRELOAD_X: "x" };
    const { exitCode, stdout, stderr } = await exec(flags, ["echo", "1234"], { environment });
    assertEquals([exitCode, stdout], [0, "123"]);
    assertMatch(stderr, /output beyond --max-output was dropped/);
    const [call] = await launcher.calls();
    const modifiers = ["--sandbox-state-readable-root", "/a b", "--sandbox-state-readable-root", "/c"];
    assertEquals(call?.args.slice(3), [...modifiers, "--", "echo", "1234"]);
    assertEquals([call?.environment["KEPT"], call?.environment["SECRET"]], ["kept", undefined]);
    assertEquals(call?.environment["LD_PRELOAD_X"], undefined);
  },
);

execTest("standard input is passed on when asked for, and closed otherwise", async (exec) => {
  assertEquals((await exec(["--stdin"], ["cat"], { stdin: "é\nx" })).stdout, "é\nx");
  assertEquals((await exec([], ["cat"], { stdin: "unread" })).stdout, "");
});

execTest("a directory is changed to inside the sandbox", async (exec, _, project) => {
  const { exitCode, stdout } = await exec(["--directory", project], ["pwd", "-P"]);
  assertEquals([exitCode, stdout], [0, `${project}\n`]);
});

execTest("what is refused, and a time limit, is 125 and says why", async (exec, launcher, project) => {
  const inside = await createLauncher({ folder: join(project, "bin") });
  const policy = join(project, "policy.txt");
  await writeFile(policy, "not json");
  const refusals = [
    [["--codex", inside.executable], "LAUNCHER_INVALID", /lies in the workspace/],
    [["--codex", "/missing/codex"], "LAUNCHER_INVALID", /does not exist/],
    [["--policy", policy], "STATE_INEXACT", /not JSON in UTF-8/],
  ] as const;
  for (const [flags, code, message] of refusals) {
    const plain = await exec(flags, ["true"]);
    assertEquals([plain.exitCode, plain.stdout], [125, ""]);
    assert(plain.stderr.startsWith(`codex-mcp: ${code}: `), plain.stderr);
    assertMatch(plain.stderr, message);
    const json = await exec([...flags, "--json"], ["true"]);
    assertEquals([json.exitCode, json.stderr, JSON.parse(json.stdout).error.code], [125, "", code]);
  }
  const late = await exec(["--timeout", "0.5"], ["sleep", "600"]);
  assertEquals([late.exitCode, late.stdout], [125, ""]);
  assertMatch(late.stderr, /ended by --timeout/);
  assertEquals((await launcher.calls()).length, 1);
});

execTest("a refusal of the server comes with its code, and nothing is run", async (exec, launcher) => {
  const { exitCode, stdout, stderr } = await exec(["--json", "--directory", "x"], ["--", "-x"]);
  assertEquals([exitCode, stderr, JSON.parse(stdout).error.code], [125, "", "COMMAND_INVALID"]);
  assertEquals(await launcher.calls(), []);
});

execTest("a policy that disables the sandbox runs, and says so", async (exec) => {
  const { exitCode, stdout, stderr } = await exec(["--policy", "danger-full-access"], ["echo", "hi"]);
  assertEquals([exitCode, stdout], [0, "hi\n"]);
  assertEquals(stderr, "codex-mcp: ran without a sandbox, as the policy says.\n");
});

execTest(
  "CODEX_HOME where the command may write is refused, whatever leads there",
  async (exec, launcher, project) => {
    const link = join(project, "..", "link");
    await symlink(project, link);
    for (const CODEX_HOME of [project, join(project, "new", "home"), join(link, ".codex"), link]) {
      const flags = ["--policy", "workspace-write"];
      const { exitCode, stdout, stderr } = await exec(flags, ["true"], { environment: { CODEX_HOME } });
      assertEquals([exitCode, stdout], [125, ""]);
      assertMatch(stderr, /CODEX_HOME lies where the policy lets the command write/);
    }
    assertEquals(await launcher.probes(), 0);
  },
);

execTest(
  "a launcher in a temporary folder is refused where the policy makes that writable",
  async (exec, launcher) => {
    const TMPDIR = join(launcher.folder, "..");
    const { exitCode, stderr } = await exec(["--policy", "workspace-write"], ["true"], {
      environment: { TMPDIR },
    });
    assertEquals(exitCode, 125);
    assertMatch(stderr, /which the policy makes writable/);
    assertEquals(await launcher.probes(), 0);
  },
);

execTest(
  "a decoy called codex that comes first on PATH is never started",
  async (exec, launcher, project) => {
    const decoy = await createLauncher({ folder: join(project, "..", "decoys") });
    const environment = { PATH: `${decoy.folder}:${Deno.env.get("PATH")}` };
    assertEquals((await exec([], ["true"], { environment })).exitCode, 0);
    assertEquals([await decoy.probes(), (await decoy.calls()).length, (await launcher.calls()).length], [
      0,
      0,
      1,
    ]);
  },
);

execTest("an interrupt ends the command and everything that was started", async (exec) => {
  const interrupt = new AbortController();
  let pid = 0;
  await exec([], ["sh", "-c", "trap '' TERM; echo $$; while :; do sleep 1; done"], {
    signal: interrupt.signal,
    onOutput: (text) => {
      pid ||= Number(text);
      interrupt.abort();
    },
  });
  assert(pid > 1 && hasEnded(pid));
});
