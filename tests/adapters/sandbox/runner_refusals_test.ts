import { assertEquals, assertMatch } from "@std/assert";
import { join } from "node:path";
import { test } from "node:test";
import { SandboxRunner } from "../../../adapters/sandbox/runner.ts";
import { captureAuthority } from "../../../core/sandbox/capture.ts";
import { LINUX_ARGUMENT_BYTES } from "../../../core/sandbox/limits.ts";
import { refused, refusedCode } from "../../contracts/refused.ts";
import { RUNTIMES } from "../../contracts/runtimes.ts";
import { authorityFor, authorityOf, type RunnerCase, testRunner, withLauncher } from "./_runner_bench.ts";

const PATH = "/usr/bin:/bin";

for (const runtime of RUNTIMES) {
  const runnerTest = (title: string, body: RunnerCase) => testRunner(runtime, title, body);

  runnerTest("a call without a launcher is refused", async (_, create) => {
    const { code } = await refused(() => create().run(authorityOf({}), ["true"]));
    assertEquals(code, "LAUNCHER_MISSING");
  });

  runnerTest("a launcher that cannot be one is refused, and never started", async (launcher, create) => {
    const { executable, folder } = launcher;
    const values = [null, 7, executable, {}, [executable], { codexExecutable: 7 }, {
      codexExecutable: "codex",
    }];
    const paths = ["", join(folder, "missing"), folder, "/dev/null", `${executable}.cmd`, `${executable}\0`];
    for (const value of [...values, ...paths.map((codexExecutable) => ({ codexExecutable }))]) {
      for (const allowUnsandboxed of [false, true]) {
        const run = () => create({ allowUnsandboxed }).run(authorityOf({ launcher: value }), ["true"]);
        assertEquals(await refusedCode(run), "LAUNCHER_INVALID", JSON.stringify(value));
      }
    }
    for (const transport of ["http", undefined] as const) {
      const authority = captureAuthority({
        "codex/sandbox-state": {},
        "codex/sandbox-launcher": { codexExecutable: executable },
      }, { transport });
      for (const allowUnsandboxed of [false, true]) {
        const run = () => create({ allowUnsandboxed }).run(authority, ["true"]);
        assertEquals(await refusedCode(run), "LAUNCHER_INVALID");
      }
    }
    assertEquals([await launcher.probes(), (await launcher.calls()).length], [0, 0]);
  });

  test(`${runtime.name}: a program that is no Codex CLI runs nothing, opt-out or not`, async () => {
    await withLauncher({ probe: "exit 1" }, async (launcher) => {
      const runner = new SandboxRunner({
        ...runtime,
        environment: {},
        announce: () => {},
        allowUnsandboxed: true,
      });
      assertEquals(await refusedCode(() => runner.run(authorityFor(launcher), ["true"])), "LAUNCHER_INVALID");
      assertEquals(await launcher.calls(), []);
      await runner.close();
    });
  });

  runnerTest("a launcher that changed between two calls is refused", async (launcher, create) => {
    const runner = create({ allowUnsandboxed: true });
    assertEquals((await runner.run(authorityFor(launcher), ["true"])).exitCode, 0);
    await launcher.replace();
    const { code, message } = await refused(() => runner.run(authorityFor(launcher), ["true"]));
    assertEquals(code, "LAUNCHER_INVALID");
    assertMatch(message, /changed on disk since its first use; restart this server/);
    assertEquals((await launcher.calls()).length, 1);
  });

  runnerTest(
    "profiles that sandbox nothing are refused when the operator says so",
    async (launcher, create) => {
      for (const profile of ["disabled", "external", "Managed"]) {
        const runner = create({ refuseDisabled: true, allowUnsandboxed: true });
        for (const authority of [authorityFor(launcher, { profile }), authorityOf({ profile })]) {
          assertEquals(await refusedCode(() => runner.run(authority, ["true"])), "PROFILE_REFUSED");
        }
      }
      assertEquals(await launcher.probes(), 0);
      const managed = await create({ refuseDisabled: true }).run(authorityFor(launcher), ["true"]);
      assertEquals(managed.sandboxed, true);
    },
  );

  runnerTest("a command that cannot be passed on is refused before the probe", async (launcher, create) => {
    const authority = authorityFor(launcher);
    for (const command of [[], [""], ["a\0b"], ["\ud800"], ["x".repeat(LINUX_ARGUMENT_BYTES + 1)]]) {
      assertEquals(await refusedCode(() => create().run(authority, command)), "COMMAND_INVALID");
      const unsandboxed = () => create({ allowUnsandboxed: true }).run(authorityOf({}), command);
      assertEquals(await refusedCode(unsandboxed), "COMMAND_INVALID");
    }
    for (const directory of ["", "a\0b"]) {
      const run = () => create().run(authority, ["true"], { directory });
      assertEquals(await refusedCode(run), "COMMAND_INVALID");
    }
    assertEquals(await launcher.probes(), 0);
  });

  runnerTest("a state that is too large is refused, opt-out or not", async (launcher, create) => {
    const authority = (bytes: number) =>
      captureAuthority({
        "codex/sandbox-state": "x".repeat(bytes - 2),
        "codex/sandbox-launcher": { codexExecutable: launcher.executable },
      }, { transport: "stdio" });
    for (const allowUnsandboxed of [false, true]) {
      const runner = create({ allowUnsandboxed });
      const run = () => runner.run(authority(LINUX_ARGUMENT_BYTES + 1), ["true"]);
      assertEquals(await refusedCode(run), "STATE_TOO_LARGE");
    }
    assertEquals((await create().run(authority(LINUX_ARGUMENT_BYTES), ["true"])).exitCode, 0);
  });

  runnerTest("a decoy called codex that comes first on PATH is never started", async (launcher, create) => {
    const decoys = join(launcher.folder, "decoys");
    const marker = join(launcher.folder, "decoy-ran");
    await withLauncher({ folder: decoys, probe: `: > ${marker}; exit 0` }, async (decoy) => {
      const runner = create({ environment: { PATH: `${decoys}:${PATH}` }, allowUnsandboxed: true });
      assertEquals((await runner.run(authorityFor(launcher), ["true"])).sandboxed, true);
      assertEquals((await runner.run(authorityOf({}), ["true"])).sandboxed, false);
      const named = authorityOf({ launcher: { codexExecutable: "codex" } });
      assertEquals(await refusedCode(() => runner.run(named, ["true"])), "LAUNCHER_INVALID");
      assertEquals(await decoy.calls(), []);
      assertEquals(await decoy.probes(), 0);
      assertEquals((await launcher.calls())[0]?.environment["PATH"], `${decoys}:${PATH}`);
    });
  });

  runnerTest(
    "the opt-out runs a call that brings no launcher, and nothing else",
    async (launcher, create) => {
      const lines: string[] = [];
      const runner = create({ allowUnsandboxed: true, announce: (line) => lines.push(line) });
      assertEquals(lines.length, 1);
      assertMatch(lines[0]!, /WITHOUT a sandbox/);
      const result = await runner.run(authorityOf({}), ["/bin/sh", "-c", "printf x; exit 3"]);
      assertEquals([result.exitCode, result.stdout, result.setupFailed], [3, "x", false]);
      assertEquals([result.sandboxed, result.modifiers], [false, []]);
      await runner.run(authorityOf({}), ["true"]);
      assertEquals((await runner.run(authorityFor(launcher), ["true"])).sandboxed, true);
      assertEquals([lines.length, (await launcher.calls()).length], [1, 1]);
    },
  );

  runnerTest("an operator who narrows every run gets none without a sandbox", async (_, create) => {
    const modifiers = [{ disableNetwork: true }, { readableRoots: ["/opt"] }];
    for (const modifier of modifiers) {
      const runner = create({ allowUnsandboxed: true, ...modifier });
      assertEquals(await refusedCode(() => runner.run(authorityOf({}), ["true"])), "LAUNCHER_MISSING");
    }
  });

  runnerTest(
    "without the opt-out nothing is announced, and a bad readable root is refused at once",
    async (_, create) => {
      const lines: string[] = [];
      create({ announce: (line) => lines.push(line) });
      create({ announce: (line) => lines.push(line), allowUnsandboxed: false });
      assertEquals(lines, []);
      const relative = () => Promise.resolve().then(() => create({ readableRoots: ["src"] }));
      assertEquals(await refusedCode(relative), "COMMAND_INVALID");
    },
  );
}
