import { assert, assertEquals, assertMatch, assertRejects } from "@std/assert";
import { test } from "node:test";
import { openExecHost } from "../../../../adapters/cli/exec/exec_host.ts";
import { hasEnded } from "../../../contracts/has_ended.ts";
import { createLauncher, type Launcher } from "../../../fixtures/launchers/mod.ts";
import { runtimeOf, withFolders } from "../cli_process.ts";

const stateText = '{"permissionProfile":{"type":"managed"}}';

function hostTest(title: string, body: (launcher: Launcher) => Promise<void>): void {
  test(title, { timeout: 60_000 }, async () => {
    await withFolders(["bin"], async (folder = "") => await body(await createLauncher({ folder })));
  });
}

hostTest("a call carries the state's text and the launcher, and gives back the result", async (launcher) => {
  const host = await openExecHost(runtimeOf(), ["--disable-network"]);
  try {
    const call = { stateText, launcher: launcher.executable };
    const { result } = await host.exec({ ...call, arguments: { command: ["cat"], stdin: "é" } });
    assertEquals([result?.stdout, result?.exitCode, result?.sandboxed], ["é", 0, true]);
    const other = await host.exec({ ...call, arguments: { command: ["sh", "-c", "exit 9"] } });
    assertEquals(other.result?.exitCode, 9);
    for (const { args } of await launcher.calls()) {
      assertEquals(args.slice(0, 5), ["sandbox", "--sandbox-state-json", stateText, args[3]!, "--"]);
    }
  } finally {
    await host.close();
  }
});

hostTest("a refusal is its text, which begins with the code", async (launcher) => {
  const host = await openExecHost(runtimeOf());
  try {
    const command = ["true"];
    const refusalOf = async (call: object) =>
      (await host.exec({ arguments: { command }, ...call })).refusal ?? "";
    assertMatch(await refusalOf({}), /^STATE_MISSING: /);
    assertMatch(await refusalOf({ stateText }), /^LAUNCHER_MISSING: /);
    assertMatch(await refusalOf({ stateText, launcher: "/missing/codex" }), /^LAUNCHER_INVALID: /);
    const forged = { command, launcher: launcher.executable, "codex/sandbox-state": {} };
    assert((await refusalOf({ arguments: forged })).length > 0);
    assertEquals(await launcher.calls(), []);
  } finally {
    await host.close();
  }
});

hostTest("output comes while the command runs, byte for byte", async (launcher) => {
  const host = await openExecHost(runtimeOf());
  try {
    const chunks: number[] = [];
    const abort = new AbortController();
    const call = host.exec({
      arguments: { command: ["sh", "-c", "printf '\\377\\000\\n'; exec sleep 600"] },
      stateText,
      launcher: launcher.executable,
      signal: abort.signal,
      onOutput: (stream, chunk) => {
        assertEquals(stream, "stdout");
        chunks.push(...chunk);
        if (chunks.length === 3) abort.abort();
      },
    });
    await assertRejects(() => call);
    assertEquals(chunks, [255, 0, 10]);
  } finally {
    await host.close();
  }
});

hostTest("close ends what the server still runs", async (launcher) => {
  const host = await openExecHost(runtimeOf());
  let told: (pid: number) => void = () => {};
  const started = new Promise<number>((resolve) => told = resolve);
  const call = host.exec({
    arguments: { command: ["sh", "-c", "echo $$; exec sleep 600"] },
    stateText,
    launcher: launcher.executable,
    onOutput: (_, chunk) => told(Number(new TextDecoder().decode(chunk))),
  });
  const rejected = assertRejects(() => call);
  const pid = await started;
  await host.close();
  await rejected;
  assert(hasEnded(pid));
});

hostTest("a server that cannot be started, or is none, is an error", async () => {
  const missing = runtimeOf({ again: () => ({ executable: "/missing/server", args: [] }) });
  await assertRejects(() => openExecHost(missing));
  const none = runtimeOf({ again: () => ({ executable: "/bin/sh", args: ["-c", "exit 3"] }) });
  await assertRejects(() => openExecHost(none));
});
