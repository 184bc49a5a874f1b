import { assert, assertEquals, assertRejects } from "@std/assert";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { SandboxResult } from "../../../adapters/sandbox/result.ts";
import type { ProcessPort } from "../../../core/ports/process.ts";
import { captureAuthority } from "../../../core/sandbox/capture.ts";
import { RUNTIMES } from "../../contracts/runtimes.ts";
import { hasEnded } from "../../contracts/has_ended.ts";
import { authorityFor, authorityOf, type RunnerCase, testRunner } from "./_runner_bench.ts";

const PATH = "/usr/bin:/bin";
const SUCCESS: Pick<
  SandboxResult,
  "exitCode" | "signal" | "stderr" | "truncated" | "timedOut" | "setupFailed"
> = {
  exitCode: 0,
  signal: null,
  stderr: "",
  truncated: false,
  timedOut: false,
  setupFailed: false,
};

for (const runtime of RUNTIMES) {
  const runnerTest = (title: string, body: RunnerCase) => testRunner(runtime, title, body);

  runnerTest("the launcher gets exactly this vector", async (launcher, create) => {
    const stateText =
      ' { "permissionProfile" : {"type":"managed"}, "n":9007199254740993, "u":"\\u00e9é😀", "e":1e400 }\t';
    const authority = captureAuthority({
      "codex/sandbox-state": JSON.parse(stateText),
      "codex/sandbox-launcher": { codexExecutable: launcher.executable },
    }, { transport: "stdio", stateText });
    const command = ["printf", "%s\\0", "", " ", "--", "-c", "$HOME `id` *", "'\"\\", "a\nb\r", "é😀", "007"];
    const runner = create({ readableRoots: ["/a b", "/é"], disableNetwork: true });
    const result = await runner.run(authority, command);
    const modifiers = [
      "--sandbox-state-readable-root",
      "/a b",
      "--sandbox-state-readable-root",
      "/é",
      "--sandbox-state-disable-network",
    ];
    const stdout = command.slice(2).map((word) => `${word}\0`).join("");
    assertEquals(result, { ...SUCCESS, stdout, sandboxed: true, modifiers });
    const [call] = await launcher.calls();
    assertEquals(call?.args, ["sandbox", "--sandbox-state-json", stateText, ...modifiers, "--", ...command]);
  });

  runnerTest(
    "a directory is changed to inside the sandbox, and the state stays",
    async (launcher, create) => {
      const authority = authorityFor(launcher);
      const result = await create().run(authority, ["pwd", "-P"], { directory: launcher.folder });
      assertEquals(result, { ...SUCCESS, stdout: `${launcher.folder}\n`, sandboxed: true, modifiers: [] });
      const { args } = (await launcher.calls())[0]!;
      assertEquals(args.slice(0, 5), [
        "sandbox",
        "--sandbox-state-json",
        authority.stateText,
        "--",
        "/bin/sh",
      ]);
      assertEquals(args.slice(-3), [launcher.folder, "pwd", "-P"]);
    },
  );

  runnerTest("a result says what its profile makes of a run", async (launcher, create) => {
    const runner = create();
    const sandboxed = async (profile: string) =>
      (await runner.run(authorityFor(launcher, { profile }), ["true"])).sandboxed;
    assertEquals(await sandboxed("managed"), true);
    assertEquals(await sandboxed("disabled"), "policy-disabled");
    assertEquals(await sandboxed("external"), "unknown");
    assertEquals(await launcher.probes(), 1);
  });

  runnerTest(
    "launchers get the environment of the server's start, without its hooks",
    async (launcher, create) => {
      const environment: Record<string, string | undefined> = {
        PATH: `relative:/opt/x::./y:${PATH}:`,
        HOME: "/home/dev",
        KEPT: "kept",
        SECRET: "secret",
        LD_PRELOAD: "/tmp/evil.so",
        DYLD_INSERT_LIBRARIES: "/tmp/evil.so",
        BASH_ENV: "/tmp/evil.sh",
        NODE_OPTIONS: "--require=/tmp/evil.js",
        UNSET: undefined,
      };
      const passEnvironment = ["KEPT", "LD_PRELOAD", "NODE_OPTIONS", "LATER", "UNSET"];
      const runner = create({ environment, passEnvironment });
      Object.assign(environment, {
        PATH: "/evil",
        KEPT: "changed",
        LATER: "later",
        CODEX_HOME: "/evil",
        HOME: "/evil",
      });
      passEnvironment.push("SECRET");
      await runner.run(authorityFor(launcher), ["true"]);
      const expected = { PATH: `/opt/x:${PATH}`, HOME: "/home/dev", KEPT: "kept" };
      assertEquals((await launcher.calls())[0]?.environment, expected);
    },
  );

  runnerTest("output is told while the command runs, and kept", async (launcher, create) => {
    const seen: string[] = [];
    const go = join(launcher.folder, "go");
    const script = `echo out; echo err >&2; while [ ! -e "${go}" ]; do sleep 0.05; done; printf end`;
    const result = await create().run(authorityFor(launcher), ["/bin/sh", "-c", script], {
      onOutput: (stream, chunk) => {
        seen.push(`${stream} ${new TextDecoder().decode(chunk)}`);
        if (seen.length === 2) void writeFile(go, "");
      },
    });
    assertEquals(seen.slice(0, 2).sort(), ["stderr err\n", "stdout out\n"]);
    assertEquals(seen.slice(2), ["stdout end"]);
    assertEquals([result.stdout, result.stderr, result.exitCode], ["out\nend", "err\n", 0]);
  });

  runnerTest("standard input is text or bytes, and closed without any", async (launcher, create) => {
    const runner = create();
    const cat = async (stdin?: string | Uint8Array) =>
      (await runner.run(authorityFor(launcher), ["cat"], { stdin })).stdout;
    assertEquals(await cat("é\0\n"), "é\0\n");
    assertEquals(await cat(new Uint8Array([0x61, 0x0a])), "a\n");
    assertEquals([await cat(""), await cat()], ["", ""]);
  });

  runnerTest("output beyond the operator's cap is dropped, and said so", async (launcher, create) => {
    const runner = create({ maxOutputBytes: 5 });
    const result = await runner.run(authorityFor(launcher), ["printf", "123456"]);
    assertEquals([result.stdout, result.truncated, result.exitCode], ["12345", true, 0]);
  });

  runnerTest("exit status and signal are the command's", async (launcher, create) => {
    const runner = create();
    const end = async (script: string) => await runner.run(authorityFor(launcher), ["/bin/sh", "-c", script]);
    const failed = await end("echo no >&2; exit 7");
    assertEquals(failed, {
      ...SUCCESS,
      exitCode: 7,
      stdout: "",
      stderr: "no\n",
      sandboxed: true,
      setupFailed: "unknown",
      modifiers: [],
    });
    const killed = await end("kill -KILL $$");
    assertEquals([killed.exitCode, killed.signal, killed.setupFailed], [null, "SIGKILL", "unknown"]);
  });

  runnerTest("the shorter of the operator's limit and the call's counts", async (launcher, create) => {
    const sleep = ["sleep", "600"];
    const authority = authorityFor(launcher);
    const limits = [[300, undefined], [300, 600_000], [undefined, 300], [600_000, 300]] as const;
    for (const [operator, call] of limits) {
      const result = await create({ timeoutMs: operator }).run(authority, sleep, { timeoutMs: call });
      assertEquals([result.timedOut, result.exitCode, result.signal], [true, null, "SIGTERM"]);
    }
  });

  runnerTest("an abort rejects with its reason and leaves no process", async (launcher, create) => {
    const abort = new AbortController();
    const reason = new Error("enough");
    let output = "";
    const script =
      `trap '' TERM; sh -c 'trap "" TERM; echo $$; while :; do sleep 1; done' & echo $$; wait; wait`;
    const thrown = await assertRejects(() =>
      create().run(authorityFor(launcher), ["/bin/sh", "-c", script], {
        signal: abort.signal,
        onOutput: (_, chunk) => {
          output += new TextDecoder().decode(chunk);
          if (output.split("\n").length === 3) abort.abort(reason);
        },
      })
    );
    assert(thrown === reason);
    const pids = output.trim().split("\n").map(Number);
    assertEquals(pids.map(hasEnded), [true, true]);
  });

  runnerTest("a signal that aborted before starts no command", async (launcher, create) => {
    const signal = AbortSignal.abort(new Error("before"));
    await assertRejects(() => create().run(authorityFor(launcher), ["true"], { signal }), Error, "before");
    assertEquals(await launcher.calls(), []);
  });

  runnerTest("close ends what runs and refuses what comes", async (launcher, create) => {
    const runner = create();
    let told: (pid: number) => void;
    const started = new Promise<number>((resolve) => told = resolve);
    const run = runner.run(authorityFor(launcher), [
      "/bin/sh",
      "-c",
      "trap '' TERM; echo $$; while :; do sleep 1; done",
    ], {
      onOutput: (_, chunk) => told(Number(new TextDecoder().decode(chunk))),
    });
    const rejected = assertRejects(() => run, DOMException, "The runner was closed");
    const pid = await started;
    let settled = false;
    void rejected.then(() => settled = true);
    await runner.close();
    assertEquals([hasEnded(pid), settled], [true, true]);
    assertEquals((await rejected).name, "AbortError");
    for (const authority of [authorityFor(launcher), authorityOf({})]) {
      await assertRejects(() => runner.run(authority, ["true"]), DOMException, "The runner was closed");
    }
    await runner.close();
    assertEquals((await launcher.calls()).length, 1);
  });

  runnerTest("close waits for a probe, and nothing is started after it", async (launcher, create) => {
    await launcher.replace("sleep 0.5; exit 0");
    const runner = create();
    let settled = false;
    const rejected = assertRejects(() => runner.run(authorityFor(launcher), ["true"]), DOMException)
      .then(() => settled = true);
    await runner.close();
    assertEquals(settled, true);
    await rejected;
    assertEquals(await launcher.calls(), []);
  });

  runnerTest(
    "every command is under guard while it runs, so that it ends with its server",
    async (launcher, create) => {
      const written: string[] = [];
      const spawn: ProcessPort["spawn"] = async (request, options) => {
        const child = await runtime.processes.spawn(request, options);
        const write = child.write.bind(child);
        child.write = (bytes) => {
          written.push(new TextDecoder().decode(bytes));
          return write(bytes);
        };
        return child;
      };
      const runner = create({ processes: { spawn } });
      const pids: string[] = [];
      for (let call = 0; call < 2; call++) {
        pids.push((await runner.run(authorityFor(launcher), ["/bin/sh", "-c", "echo $$"])).stdout);
      }
      const [probeBegins, probeEnds, ...commands] = written;
      assertEquals(probeBegins?.replace("+", "-"), probeEnds, "the probe too");
      assertEquals(commands, pids.flatMap((pid) => [`+ ${pid}`, `- ${pid}`]));
    },
  );
}
