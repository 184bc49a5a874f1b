import { assertEquals, assertRejects } from "@std/assert";
import { mkdir, mkdtemp, realpath, rm, symlink } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import { test } from "node:test";
import { LauncherChoice } from "../../../../../adapters/mcp/host/sandbox/launcher_choice.ts";
import { captureTurn } from "../../../../../adapters/mcp/host/sandbox/turn_sandbox.ts";
import { LauncherProbe } from "../../../../../adapters/sandbox/probe.ts";
import { advertiseSandboxState } from "../../../../../core/sandbox/capability.ts";

/** Whether anybody may make symbolic links. */
const LINKS = process.platform !== "win32";

const signal = new AbortController().signal;

/** A choice over files by path, and how often one was run as a probe. */
function choiceOver(
  files: Readonly<Record<string, string>>,
): { readonly choice: LauncherChoice; readonly runs: string[] } {
  const runs: string[] = [];
  const port = {
    identify: (path: string) => {
      const realPath = files[path] ?? Object.values(files).find((real) => real === path);
      return Promise.resolve(
        realPath === undefined ? null : { realPath, kind: "file" as const, fingerprint: realPath },
      );
    },
  };
  const ended = Promise.resolve({ exitCode: 0, signal: null });
  const probe = new LauncherProbe({
    files: port,
    environment: {},
    processes: {
      spawn: ({ executable }) => {
        runs.push(executable);
        return Promise.resolve({
          pid: 1,
          stdout: (async function* () {})(),
          stderr: (async function* () {})(),
          exited: executable.includes("fails") ? Promise.resolve({ exitCode: 1, signal: null }) : ended,
          write: () => Promise.resolve(true),
          closeStdin: () => Promise.resolve(),
          kill: () => false,
          alive: () => false,
          unref: () => {},
          release: () => {},
        });
      },
    },
  });
  return { choice: new LauncherChoice({ files: port, probe, platform: "linux" }), runs };
}

async function outcome(
  turn: Parameters<typeof captureTurn>[0] | null,
  { files = { "/bin/codex": "/opt/codex" }, transport = "stdio", environment = "local" }: {
    readonly files?: Readonly<Record<string, string>>;
    readonly transport?: "stdio" | "http";
    readonly environment?: string;
  } = {},
): Promise<readonly [string, number]> {
  const { choice, runs } = choiceOver(files);
  const { launcher } = await choice.bind(turn === null ? null : captureTurn(turn), {
    server: { transport, environment },
    capabilities: advertiseSandboxState(),
    signal,
  });
  return [launcher.sent ? launcher.launcher.codexExecutable : launcher.reason, runs.length];
}

test("a launcher is sent under its real path, and probed only when everything else speaks for it", async () => {
  const turn = { state: {}, launcher: "/bin/codex" };
  assertEquals(await outcome(turn), ["/opt/codex", 1]);
  assertEquals(await outcome(turn, { transport: "http" }), ["not-stdio", 0]);
  assertEquals(await outcome({ ...turn, environment: "farm" }, { environment: "farm" }), [
    "remote-environment",
    0,
  ]);
  assertEquals(await outcome(turn, { environment: "farm" }), ["no-state", 0]);
  assertEquals(await outcome({ launcher: "/bin/codex" }), ["no-state", 0]);
  assertEquals(await outcome({ state: {} }), ["no-executable", 0]);
  assertEquals(await outcome(null), ["no-state", 0]);
  assertEquals(await outcome(turn, { files: {} }), ["no-executable", 0]);
  assertEquals(await outcome({ ...turn, writableRoots: ["/opt"] }), ["in-writable-root", 0]);
  assertEquals(await outcome({ ...turn, workspace: "/opt" }), ["in-workspace", 0]);
  assertEquals(await outcome(turn, { files: { "/bin/codex": "/opt/fails" } }), ["probe-failed", 1]);
});

test("a link that a sandboxed command can point elsewhere is none, wherever it leads to now", async () => {
  const files = { "/w/node_modules/.bin/codex": "/opt/codex" };
  const turn = { state: {}, launcher: "/w/node_modules/.bin/codex" };
  assertEquals(await outcome(turn, { files }), ["/opt/codex", 1]);
  assertEquals(await outcome({ ...turn, workspace: "/w" }, { files }), ["in-workspace", 0]);
  assertEquals(await outcome({ ...turn, writableRoots: ["/w"] }, { files }), ["in-writable-root", 0]);
});

test("a link on the way that stands where a command can write is none either", { skip: !LINKS }, async () => {
  const top = await realpath(await mkdtemp(join(tmpdir(), "launcher-")));
  try {
    await mkdir(join(top, "w"));
    await symlink(join(top, "w", "inner"), join(top, "outer"));
    await symlink("/opt/codex", join(top, "w", "inner"));
    const turn = { state: {}, launcher: join(top, "outer"), writableRoots: [join(top, "w")] };
    assertEquals(await outcome(turn, { files: { [turn.launcher]: "/opt/codex" } }), ["in-writable-root", 0]);
  } finally {
    await rm(top, { recursive: true });
  }
});

test("a launcher is probed once, whoever asks; waiting for it can be given up", async () => {
  const { choice, runs } = choiceOver({ "/bin/codex": "/opt/codex" });
  const turn = captureTurn({ state: {}, launcher: "/bin/codex" });
  const use = {
    server: { transport: "stdio", environment: "local" },
    capabilities: advertiseSandboxState(),
  } as const;
  await Promise.all([1, 2, 3].map(() => choice.bind(turn, { ...use, signal })));
  assertEquals(runs.length, 1);
  await assertRejects(
    () => choice.bind(turn, { ...use, signal: AbortSignal.abort(new Error("given up")) }),
    Error,
    "given up",
  );
});
