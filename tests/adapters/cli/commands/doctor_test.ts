import { assertEquals, assertMatch } from "@std/assert";
import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";
import { createLauncher } from "../../../fixtures/launchers/mod.ts";
import { runCli, withFolders } from "../cli_process.ts";

const limit = { timeout: 120_000 };
const SANDBOX = ["sandbox", "write-denied", "network-closed", "launcher-safe"];
const IDS = ["launcher", "environment", "argument-limit", ...SANDBOX];

interface Check {
  readonly id: string;
  readonly status: string;
  readonly found: string;
  readonly fix?: string;
}

test("a launcher that does not sandbox is found out, check by check", limit, async () => {
  await withFolders(["bin", "project", "cache"], async (folder = "", project = "", XDG_CACHE_HOME = "") => {
    const { executable } = await createLauncher({ folder });
    const environment = {
      XDG_CACHE_HOME,
      DENO_DIR: Deno.env.get("DENO_DIR") ?? join(Deno.env.get("HOME")!, ".cache/deno"),
    };
    const args = ["doctor", "--codex", executable, "--cwd", project];
    const { exitCode, stdout, stderr } = await runCli([...args, "--json"], { environment });
    assertEquals([exitCode, stderr], [1, ""]);
    const { ok, checks }: { readonly ok: boolean; readonly checks: readonly Check[] } = JSON.parse(stdout);
    assertEquals([ok, checks.map(({ id }) => id)], [false, IDS]);
    assertEquals(checks.map(({ status }) => status), ["ok", "ok", "ok", "ok", "failed", "failed", "failed"]);
    assertEquals(checks.filter(({ status, fix }) => (status === "failed") !== (fix !== undefined)), []);
    const text = await runCli(args, { environment });
    assertEquals([text.exitCode, text.stderr], [1, ""]);
    for (const { id, status, found, fix } of checks) {
      const line = text.stdout.split("\n").find((one) => one.split(/ +/)[1] === id) ?? "";
      assertEquals(line.slice(0, 6), status.padEnd(6));
      assertEquals(line.endsWith(found), true, line);
      if (fix !== undefined) assertEquals(text.stdout.includes(`fix: ${fix}`), true);
    }
    assertEquals(text.stdout.includes("\u001b"), false);
    assertEquals(await readdir(join(XDG_CACHE_HOME, "codex-mcp")), []);
  });
});

test("a sandbox that cannot be set up skips what needs one", limit, async () => {
  await withFolders(["bin", "project"], async (folder = "", project = "") => {
    const probe = 'exit 0\nfi\nif [ "$4" = -- ]; then echo "bwrap: no namespace" >&2; exit 1';
    const { executable } = await createLauncher({ folder, probe });
    const { exitCode, stdout } = await runCli(["doctor", "--json", "--codex", executable, "--cwd", project]);
    const { checks }: { readonly checks: readonly Check[] } = JSON.parse(stdout);
    assertEquals(exitCode, 1);
    const after = checks.slice(3);
    assertEquals(after.map(({ status }) => status), ["failed", "skipped", "skipped", "skipped"]);
    assertMatch(after[0]!.found, /kernel refuses namespaces/);
    assertEquals(new Set(after.slice(1).map(({ found }) => found)), new Set(["needs a sandbox"]));
  });
});

test("without a launcher the rest is still checked, and the reason is told", limit, async () => {
  await withFolders(["project"], async (project = "") => {
    const inside = await createLauncher({ folder: project });
    const lines = [["/missing/codex", /does not exist/], [
      inside.executable,
      /lies in the workspace/,
    ]] as const;
    for (const [codex, reason] of lines) {
      const { exitCode, stdout, stderr } = await runCli([
        "doctor",
        "--json",
        "--codex",
        codex,
        "--cwd",
        project,
      ], {
        environment: { CODEX_HOME: project },
      });
      assertEquals([exitCode, stderr], [1, ""]);
      const { checks }: { readonly checks: readonly Check[] } = JSON.parse(stdout);
      assertEquals(checks.map(({ id }) => id), IDS);
      const statuses = checks.map(({ status }) => status);
      assertEquals(statuses, ["failed", "failed", "ok", "skipped", "skipped", "skipped", "skipped"]);
      assertMatch(checks[0]!.found, reason);
      assertMatch(checks[0]!.fix!, /npm install --global @openai\/codex/);
    }
    assertEquals(await inside.probes(), 0);
  });
});
