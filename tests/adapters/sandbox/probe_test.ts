import { assertEquals, assertMatch, assertRejects } from "@std/assert";
import { chmod, symlink } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";
import { LauncherProbe } from "../../../adapters/sandbox/probe.ts";
import { ProcessError } from "../../../core/errors.ts";
import type { FilePort } from "../../../core/ports/file.ts";
import type { ChildProcess, ProcessPort, SpawnRequest } from "../../../core/ports/process.ts";
import { refused } from "../../contracts/refused.ts";
import { RUNTIMES } from "../../contracts/runtimes.ts";
import type { Launcher } from "../../fixtures/launchers/mod.ts";
import { withLauncher } from "./_runner_bench.ts";

const environment = { PATH: "/usr/bin:/bin" };
const NOT_CODEX = "did not answer as a Codex CLI with a sandbox command";

for (const { name, processes, files } of RUNTIMES) {
  const probeTest = (title: string, body: (launcher: Launcher, probe: LauncherProbe) => Promise<void>) =>
    test(`${name}: ${title}`, { timeout: 60_000 }, async () => {
      await withLauncher(
        {},
        (launcher) => body(launcher, new LauncherProbe({ processes, files, environment })),
      );
    });

  probeTest("twenty callers at a time share one run, and later ones its answer", async (launcher, probe) => {
    const verdicts = await Promise.all(Array.from({ length: 20 }, () => probe.inspect(launcher.executable)));
    const identity = await files.identify(launcher.executable);
    for (const verdict of verdicts) assertEquals(verdict, { identity: identity! });
    await probe.inspect(launcher.executable);
    await probe.require(launcher.executable);
    assertEquals(await launcher.probes(), 1);
    assertEquals(await launcher.calls(), []);
  });

  probeTest("a file that changed is asked again", async (launcher, probe) => {
    await probe.inspect(launcher.executable);
    await launcher.replace("exit 3");
    assertEquals(await probe.inspect(launcher.executable), { flaw: NOT_CODEX });
    assertEquals(await launcher.probes(), 2);
  });

  probeTest(
    "a launcher that was replaced is refused, though the new one answers too",
    async (launcher, probe) => {
      const { executable } = launcher;
      await probe.require(executable);
      await launcher.replace();
      assertEquals((await probe.inspect(executable)).flaw, undefined);
      for (let call = 0; call < 2; call++) {
        const { code, message } = await refused(() => probe.require(executable));
        assertEquals(code, "LAUNCHER_INVALID");
        assertEquals(
          message,
          `Cannot use the launcher ${JSON.stringify(executable)}: it changed on disk since its first use; ` +
            "restart this server to accept it; nothing was run.",
        );
      }
    },
  );

  probeTest("a look alone is no use: what is required first counts", async (launcher, probe) => {
    await probe.inspect(launcher.executable);
    await launcher.replace();
    await probe.require(launcher.executable);
  });

  probeTest("another name of the same file is another launcher", async (launcher, probe) => {
    const alias = join(launcher.folder, "alias");
    await symlink(launcher.executable, alias);
    await probe.require(launcher.executable);
    assertEquals((await probe.inspect(alias)).identity?.realPath, launcher.executable);
    assertEquals(await launcher.probes(), 2);
  });

  probeTest("what is missing, a folder, or may not run is a flaw and a refusal", async (launcher, probe) => {
    const { folder, executable } = launcher;
    const missing = join(folder, "missing");
    assertEquals(await probe.inspect(missing), { flaw: "does not exist or cannot be looked at" });
    assertEquals(await probe.inspect(folder), { flaw: "is not a file" });
    assertEquals(await probe.inspect("/dev/null"), { flaw: "is not a file" });
    await chmod(executable, 0o644);
    assertEquals(await probe.inspect(executable), { flaw: NOT_CODEX });
    for (const path of [missing, folder, executable]) {
      const { code, message } = await refused(() => probe.require(path));
      assertEquals(code, "LAUNCHER_INVALID");
      assertMatch(message, /^Cannot use the launcher ".*": it .*; nothing was run\.$/);
    }
    assertEquals(await launcher.probes(), 0);
  });

  test(`${name}: only an exit status of 0 is a yes, and a no is asked for once`, async () => {
    for (const answer of ["exit 1", "exit 127", "kill -KILL $$", "echo 'Usage: codex sandbox'; exit 2"]) {
      await withLauncher({ probe: answer }, async (launcher) => {
        const probe = new LauncherProbe({ processes, files, environment });
        assertEquals(await probe.inspect(launcher.executable), { flaw: NOT_CODEX });
        assertEquals((await refused(() => probe.require(launcher.executable))).code, "LAUNCHER_INVALID");
        assertEquals(await launcher.probes(), 1);
      });
    }
  });

  test(`${name}: the probe gets the launchers' environment and no more`, async () => {
    const answer = '[ "$ONLY$LD_PRELOAD" = this ] && [ -z "$HOME$USER" ] && exit 0; exit 1';
    await withLauncher({ probe: answer }, async ({ executable }) => {
      const probe = new LauncherProbe({ processes, files, environment: { ONLY: "this" } });
      assertEquals((await probe.inspect(executable)).flaw, undefined);
    });
  });

  test(`${name}: help of any length, and help that leaves a child behind, is an answer`, async () => {
    await withLauncher({ probe: "head -c 3000000 /dev/zero; sleep 600 & exit 0" }, async ({ executable }) => {
      const probe = new LauncherProbe({ processes, files, environment });
      assertEquals((await probe.inspect(executable)).flaw, undefined);
    });
  });
}

const sameFile: FilePort = {
  identify: (realPath) => Promise.resolve({ realPath, kind: "file", fingerprint: "same" }),
};

test("no answer in time is a no to everyone who waits, and is asked for again", async () => {
  const { port, requests } = scriptedPort(["hang", "answer"]);
  const probe = new LauncherProbe({ processes: port, files: sameFile, environment, timeoutMs: 20 });
  const first = await Promise.all(Array.from({ length: 20 }, () => probe.inspect("/opt/codex")));
  for (const verdict of first) assertEquals(verdict, { flaw: NOT_CODEX });
  assertEquals(requests.length, 1);
  assertEquals((await probe.inspect("/opt/codex")).flaw, undefined);
  assertEquals((await probe.inspect("/opt/codex")).flaw, undefined);
  assertEquals(requests.length, 2);
});

test("a start that the system refuses is a no to everyone who waits, and is tried again", async () => {
  const { port, requests } = scriptedPort(["refuse", "answer"]);
  const probe = new LauncherProbe({ processes: port, files: sameFile, environment });
  const first = await Promise.all(Array.from({ length: 20 }, () => probe.inspect("/opt/codex")));
  for (const verdict of first) assertEquals(verdict, { flaw: NOT_CODEX });
  assertEquals((await probe.inspect("/opt/codex")).flaw, undefined);
  assertEquals(requests.length, 2);
});

test("the probe's words are Codex's own", async () => {
  const { port, requests } = scriptedPort(["answer"]);
  await new LauncherProbe({ processes: port, files: sameFile, environment }).inspect("/opt/codex");
  const args = ["sandbox", "--sandbox-state-json", "{}", "--help"];
  assertEquals(requests, [{ executable: "/opt/codex", args }]);
});

test("a probe that nobody waits for any more is waited for all the same", async () => {
  const { port } = scriptedPort(["hang"]);
  const [abort, closing] = [new AbortController(), new AbortController()];
  let live = 0;
  const processes: ProcessPort = {
    spawn: async (request, options) => {
      const child = await port.spawn(request, options);
      live++;
      void child.exited.then(() => live--);
      abort.abort(new Error("cancelled"));
      return child;
    },
  };
  const probe = new LauncherProbe({ processes, files: sameFile, environment, signal: closing.signal });
  await probe.settled();
  await assertRejects(() => probe.require("/opt/codex", abort.signal), Error, "cancelled");
  assertEquals(live, 1);
  closing.abort();
  await probe.settled();
  assertEquals(live, 0);
});

/** A port whose children do one thing after the other: hang until they are killed, or exit with 0. */
function scriptedPort(
  steps: readonly ("hang" | "answer" | "refuse")[],
): { readonly port: ProcessPort; readonly requests: readonly SpawnRequest[] } {
  const requests: SpawnRequest[] = [];
  const spawn = (request: SpawnRequest): Promise<ChildProcess> => {
    const step = steps[requests.length];
    requests.push(request);
    if (step === "refuse") return Promise.reject(new ProcessError("SPAWN_FAILED", "busy"));
    let running = step === "hang";
    let end: () => void = () => {};
    const ended = running ? new Promise<void>((resolve) => end = resolve) : Promise.resolve();
    return Promise.resolve({
      pid: 2,
      stdout: nothing(),
      stderr: nothing(),
      exited: ended.then(() => ({ exitCode: running ? null : 0, signal: null })),
      write: () => Promise.resolve(false),
      closeStdin: () => Promise.resolve(),
      kill: () => {
        const was = running;
        end();
        running = false;
        return was;
      },
      alive: () => running,
      unref: () => {},
      release: () => {},
    });
  };
  return { port: { spawn }, requests };
}

async function* nothing(): AsyncGenerator<Uint8Array> {}
