/**
 * What every runtime's way to a sandbox runner does. Registers the cases for one of them.
 *
 * @module
 */

import { assertEquals, assertMatch } from "@std/assert";
import process from "node:process";
import { test } from "node:test";
import type { RunnerPolicy, SandboxRunner } from "../../adapters/sandbox/runner.ts";
import { captureAuthority } from "../../core/sandbox/capture.ts";
import type { Platform } from "../../core/sandbox/path.ts";
import { createLauncher } from "../fixtures/launchers/mod.ts";
import { refusedCode } from "./refused.ts";

/** What a runtime's module offers. */
export interface RunnerModule {
  /** Creates a runner with the runtime's own ports. */
  readonly createSandboxRunner: (policy?: RunnerPolicy) => SandboxRunner;
  /** The platform at hand. */
  readonly hostPlatform: () => Platform;
}

/** Registers the cases, each under `name`. */
export function testCreateSandboxRunner(name: string, module: RunnerModule): void {
  const { createSandboxRunner, hostPlatform } = module;

  test(`${name}: the platform is the system's own`, () => {
    const expected = { win32: "windows", darwin: "darwin" } as Readonly<Record<string, string>>;
    assertEquals<string>(hostPlatform(), expected[process.platform] ?? "linux");
  });

  test(`${name}: a runner has the environment of the moment it was made`, { timeout: 60_000 }, async () => {
    const launcher = await createLauncher();
    const before = { ...process.env };
    try {
      Object.assign(process.env, {
        CODEX_MCP_TEST: "then",
        LD_PRELOAD_TEST: "x",
        PATH: `x:${before["PATH"]}`,
      });
      const runner = createSandboxRunner({ passEnvironment: ["CODEX_MCP_TEST", "LD_PRELOAD_TEST"] });
      process.env["CODEX_MCP_TEST"] = "now";
      process.env["HOME"] = "/now";
      const meta = {
        "codex/sandbox-state": { permissionProfile: { type: "managed" } },
        "codex/sandbox-launcher": { codexExecutable: launcher.executable },
      };
      const result = await runner.run(captureAuthority(meta, { transport: "stdio" }), ["echo", "hello"]);
      await runner.close();
      assertEquals([result.stdout, result.exitCode, result.sandboxed], ["hello\n", 0, true]);
      const { environment } = (await launcher.calls())[0]!;
      assertEquals(environment["CODEX_MCP_TEST"], "then");
      assertEquals(environment["HOME"], before["HOME"]);
      assertEquals(environment["LD_PRELOAD_TEST"], undefined);
      assertMatch(environment["PATH"]!, /^\//);
    } finally {
      for (const key of ["CODEX_MCP_TEST", "LD_PRELOAD_TEST"]) delete process.env[key];
      for (const key of ["PATH", "HOME"]) {
        if (before[key] === undefined) delete process.env[key];
        else process.env[key] = before[key];
      }
      await launcher.remove();
    }
  });

  test(`${name}: the operator's opt-out is told on standard error alone, and once`, async () => {
    const state = { "codex/sandbox-state": { permissionProfile: { type: "managed" } } };
    const authority = captureAuthority(state, { transport: "stdio" });
    const { error, log } = console;
    const lines: unknown[][] = [];
    const printed: unknown[][] = [];
    console.error = (...words) => lines.push(words);
    console.log = (...words) => printed.push(words);
    try {
      const strict = createSandboxRunner();
      assertEquals(await refusedCode(() => strict.run(authority, ["true"])), "LAUNCHER_MISSING");
      await strict.close();
      assertEquals(lines, []);
      const runner = createSandboxRunner({ allowUnsandboxed: true });
      for (let call = 0; call < 2; call++) {
        assertEquals((await runner.run(authority, ["true"])).sandboxed, false);
      }
      await runner.close();
    } finally {
      Object.assign(console, { error, log });
    }
    assertEquals([lines.length, printed.length], [1, 0]);
    assertMatch(String(lines[0]), /WITHOUT a sandbox/);
  });

  test(`${name}: a readable root that is not absolute is refused at once`, async () => {
    const create = () => Promise.resolve().then(() => createSandboxRunner({ readableRoots: ["src"] }));
    assertEquals(await refusedCode(create), "COMMAND_INVALID");
  });
}
