/**
 * `codex-mcp doctor` on this machine, and with launchers in places where they must not be.
 *
 * @module
 */

import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { dirname, join } from "node:path";
import { test } from "node:test";
import type { Finding } from "../../../adapters/cli/doctor/finding.ts";
import { realCodex } from "../../fixtures/codex_host/codex.ts";
import { createPlace, type Place } from "../../fixtures/codex_host/place.ts";
import { removeFolder } from "../../fixtures/remove_folder.ts";
import { LIMIT } from "../codex/turns.ts";
import { type CommandLineOptions, runCommandLine } from "../command_line.ts";

interface Diagnosis {
  readonly code: number;
  readonly ok: boolean;
  readonly checks: readonly Finding[];
}

async function diagnose(
  place: Place,
  words: readonly string[],
  options: CommandLineOptions = {},
): Promise<Diagnosis> {
  const { code, stdout, stderr } = await runCommandLine(place, ["doctor", "--json", ...words], options);
  assertEquals(stderr, "");
  return { code, ...JSON.parse(stdout) as Omit<Diagnosis, "code"> };
}

function check(diagnosis: Diagnosis, id: string): Finding {
  const found = diagnosis.checks.find((one) => one.id === id);
  assert(found !== undefined, `there is no check ${id}`);
  return found;
}

/** Puts a program that becomes the real Codex CLI into `folder`. */
async function plantCodex(folder: string): Promise<string> {
  const script = join(folder, "codex");
  await Deno.mkdir(folder, { recursive: true });
  await Deno.writeTextFile(script, `#!/bin/sh\nexec '${await realCodex()}' "$@"\n`);
  await Deno.chmod(script, 0o755);
  return script;
}

test("everything that a sandboxed call needs is there", LIMIT, async () => {
  await using place = await createPlace();
  const diagnosis = await diagnose(place, ["--codex", await realCodex()]);
  assertEquals(diagnosis.checks.map(({ id, status }) => [id, status]), [
    ["launcher", "ok"],
    ["environment", "ok"],
    ["argument-limit", "ok"],
    ["sandbox", "ok"],
    ["write-denied", "ok"],
    ["network-closed", "ok"],
    ["launcher-safe", "ok"],
  ]);
  assertEquals([diagnosis.code, diagnosis.ok], [0, true]);
});

test("a launcher in the workspace is none", LIMIT, async () => {
  await using place = await createPlace();
  const diagnosis = await diagnose(place, ["--codex", await plantCodex(join(place.workspace, "bin"))]);
  assertEquals([diagnosis.code, diagnosis.ok], [1, false]);
  const launcher = check(diagnosis, "launcher");
  assertEquals(launcher.status, "failed");
  assertStringIncludes(launcher.found, "workspace");
  assert(launcher.fix !== undefined);
  assertEquals(check(diagnosis, "sandbox").status, "skipped");
});

/** Copies the real Codex CLI into `folder`, and links to what its package brings along beside it. */
async function copyCodex(folder: string): Promise<string> {
  const vendor = dirname(dirname(await realCodex()));
  const copy = join(folder, "bin", "codex");
  await Deno.mkdir(dirname(copy));
  await Deno.copyFile(await realCodex(), copy);
  for (const { name } of Deno.readDirSync(vendor)) {
    if (name !== "bin") await Deno.symlink(join(vendor, name), join(folder, name));
  }
  return copy;
}

test("a launcher under a temporary folder is not safe", LIMIT, async () => {
  await using place = await createPlace();
  const folder = await Deno.makeTempDir({ dir: "/tmp", prefix: "codex-mcp-launcher-" });
  try {
    const diagnosis = await diagnose(place, ["--codex", await copyCodex(folder)]);
    assertEquals([diagnosis.code, diagnosis.ok], [1, false]);
    const failed = diagnosis.checks.filter(({ status }) => status === "failed");
    assertEquals(failed.map(({ id }) => id), ["launcher-safe"]);
    assertStringIncludes(failed[0]!.found, folder);
  } finally {
    await removeFolder(folder);
  }
});

test("a launcher that is first on PATH and lies in the workspace is passed over", LIMIT, async () => {
  await using place = await createPlace();
  const bin = join(place.workspace, "bin");
  await plantCodex(bin);
  await realCodex();
  const diagnosis = await diagnose(place, [], { environment: { PATH: `${bin}:/usr/bin:/bin` } });
  assertEquals([diagnosis.code, diagnosis.ok], [0, true]);
  assertEquals(check(diagnosis, "launcher").found.includes(place.workspace), false);
});

test("a Codex home in the project fails", LIMIT, async () => {
  await using place = await createPlace();
  const home = join(place.workspace, "home");
  await Deno.mkdir(home);
  const environment = { CODEX_HOME: home };
  const diagnosis = await diagnose(place, ["--codex", await realCodex()], { environment });
  assertEquals([diagnosis.code, diagnosis.ok], [1, false]);
  assertEquals(check(diagnosis, "environment").status, "failed");
});

test("a copy of the executable alone lacks what it sandboxes with, and is told so", LIMIT, async () => {
  await using place = await createPlace();
  const copy = join(place.outside, "codex");
  await Deno.copyFile(await realCodex(), copy);
  const environment = { PATH: place.home };
  const diagnosis = await diagnose(place, ["--codex", copy], { environment });
  assertEquals([diagnosis.code, diagnosis.ok], [1, false]);
  const sandbox = check(diagnosis, "sandbox");
  assertEquals(sandbox.status, "failed");
  assertStringIncludes(sandbox.found, "lacks bubblewrap");
});
