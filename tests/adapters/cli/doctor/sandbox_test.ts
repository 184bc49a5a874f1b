import { assertEquals, assertMatch } from "@std/assert";
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";
import {
  checkLauncherPlace,
  checkNetwork,
  checkSetup,
  checkWriteDenied,
} from "../../../../adapters/cli/doctor/sandbox.ts";
import type { ExecOutcome } from "../../../../adapters/cli/exec/exec_host.ts";
import type { SandboxTrial } from "../../../../adapters/cli/exec/trial.ts";
import { createProcesses } from "../../../../adapters/deno/mod.ts";
import { buildResult } from "../../../../adapters/sandbox/result.ts";
import { runProcess } from "../../../../adapters/sandbox/run.ts";
import { runtimeOf, withFolders } from "../cli_process.ts";

type Run = SandboxTrial["run"];

const limit = { timeout: 60_000 };

/** A trial whose commands run as `run` says. */
async function withTrial(run: Run, body: (trial: SandboxTrial) => Promise<void>): Promise<void> {
  await withFolders(["workspace", "outside", "bin"], async (workspace = "", outside = "", bin = "") => {
    const launcher = join(bin, "codex");
    await writeFile(launcher, "");
    await body({
      runtime: runtimeOf(),
      launcher,
      workspace,
      outside,
      run,
      close: () => Promise.resolve(),
    });
  });
}

/** Runs the command with all the rights of the test. */
async function unconfined(command: readonly string[]): Promise<ExecOutcome> {
  const [executable = "", ...args] = command;
  const outcome = await runProcess(createProcesses(), { executable, args }, {
    environment: Deno.env.toObject(),
    maxOutputBytes: 1 << 20,
  });
  return { result: buildResult(outcome, { sandboxed: true, modifiers: [] }) };
}

function ended(exitCode: number | null, stderr = "", stdout = ""): ExecOutcome {
  const encode = (text: string) => new TextEncoder().encode(text);
  const signal = exitCode === null ? "SIGKILL" : null;
  const outcome = { exitCode, signal, truncated: false, timedOut: false, cancelled: false };
  return {
    result: buildResult({ ...outcome, stdout: encode(stdout), stderr: encode(stderr) }, {
      sandboxed: true,
      modifiers: [],
    }),
  };
}

test("a sandbox that does nothing fails where it must", limit, async () => {
  await withTrial((_, command) => unconfined(command), async (trial) => {
    assertEquals((await checkSetup(trial)).status, "ok");
    const write = await checkWriteDenied(trial);
    assertEquals([write.status, write.found], ["failed", "a write outside the workspace was NOT denied"]);
    const network = await checkNetwork(trial);
    assertEquals([network.status, network.found], [
      "failed",
      "a connection from the sandbox was NOT refused",
    ]);
    const place = await checkLauncherPlace(trial);
    assertEquals(place.status, "failed");
    assertMatch(place.found, /can write to .*, and so replace the launcher/);
  });
});

test("a set-up that fails is told by its class, with a fix", limit, async () => {
  const classes = [
    [ended(1, "bwrap: No permissions to create a new namespace\n"), /kernel refuses namespaces/],
    [ended(1, "bwrap: setting up uid map: Permission denied\n"), /kernel refuses namespaces/],
    [ended(71, "sandbox-exec: sandbox_apply: Operation not permitted\n"), /in a sandbox already/],
    [
      ended(1, "Error: /clone/.codex/config.toml:22:8: invalid type\n"),
      /^Codex refuses its configuration: "Error: \/clone/,
    ],
    [ended(3, "something else\n"), /exits with 3: "something else\\n"$/],
    [ended(null), /exits with SIGKILL: ""$/],
    [{ refusal: "LAUNCHER_INVALID: no" }, /^LAUNCHER_INVALID: no$/],
  ] as const;
  for (const [outcome, found] of classes) {
    await withTrial(() => Promise.resolve(outcome), async (trial) => {
      const finding = await checkSetup(trial);
      assertEquals([finding.id, finding.status, typeof finding.fix], ["sandbox", "failed", "string"]);
      assertMatch(finding.found, found);
    });
  }
});

test("a launcher that ends well and runs nothing is no sandbox", limit, async () => {
  await withTrial(() => Promise.resolve(ended(0)), async (trial) => {
    assertEquals((await checkSetup(trial)).status, "failed");
  });
});

test("writes count by what is on disk, not by what a command says", limit, async () => {
  const inside: Run = (mode, command) => {
    assertEquals(mode, "workspace-write");
    return command.at(-1)!.includes("/workspace/") ? unconfined(command) : Promise.resolve(ended(0));
  };
  await withTrial(inside, async (trial) => assertEquals((await checkWriteDenied(trial)).status, "ok"));
  await withTrial(() => Promise.resolve(ended(0)), async (trial) => {
    const { status, found } = await checkWriteDenied(trial);
    assertEquals([status, found], ["failed", "a write in the workspace was denied"]);
  });
});

test("the network counts as closed only where the sandboxed program said so", limit, async () => {
  const closing = (said: ExecOutcome): Run => (mode, command) =>
    mode === "read-only" ? Promise.resolve(said) : unconfined(command);
  const check = async (run: Run): Promise<string> => {
    let text = "";
    await withTrial(run, async (trial) => {
      const { status, found } = await checkNetwork(trial);
      text = `${status}: ${found}`;
    });
    return text;
  };
  assertMatch(await check(closing(ended(0, "", "closed\n"))), /^ok: /);
  assertMatch(await check(closing(ended(0, "", "open\n"))), /^failed: .* NOT refused$/);
  for (const other of [ended(1, "cannot start\n"), ended(0), { refusal: "STATE_MISSING: no" }]) {
    assertEquals(await check(closing(other)), "failed: no connection could be tried in the sandbox");
  }
  assertMatch(await check(() => Promise.resolve(ended(0, "", "closed\n"))), /^skipped: /);
});

test("a launcher is safe only where its folder cannot be written to", limit, async () => {
  await withTrial(() => Promise.resolve(ended(0, "", "tried\n")), async (trial) => {
    assertEquals((await checkLauncherPlace(trial)).status, "ok");
  });
  await withTrial(() => Promise.resolve(ended(0)), async (trial) => {
    assertEquals((await checkLauncherPlace(trial)).status, "skipped", "what ran nothing proves nothing");
  });
  await withTrial(() => Promise.resolve({ refusal: "LAUNCHER_INVALID: no" }), async (trial) => {
    const { status, found } = await checkLauncherPlace(trial);
    assertEquals([status, found], ["skipped", "LAUNCHER_INVALID: no"]);
  });
  await withTrial((_, command) => unconfined(command), async (trial) => {
    await mkdir(join(trial.launcher, "..", "sub"));
    assertEquals((await checkLauncherPlace(trial)).status, "failed");
    assertEquals([...Deno.readDirSync(join(trial.launcher, ".."))].map(({ name }) => name).sort(), [
      "codex",
      "sub",
    ]);
  });
});
