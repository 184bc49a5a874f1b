import { assertEquals } from "@std/assert";
import { test } from "node:test";
import type { Finding } from "../../../../adapters/cli/doctor/finding.ts";
import { checkMachine } from "../../../../adapters/cli/doctor/machine.ts";
import { createLauncher } from "../../../fixtures/launchers/mod.ts";
import { runtimeOf, withFolders } from "../cli_process.ts";

async function look(codex: string, workspace: string): Promise<readonly (readonly [string, string])[]> {
  const said: Finding[] = [];
  const flags = { value: (name: string) => name === "codex" ? codex : undefined };
  await checkMachine(runtimeOf(), { flags, workspace, say: (finding) => said.push(finding) });
  return said.map(({ id, status }) => [id, status]);
}

test("without a launcher nothing is run in a sandbox", () =>
  withFolders(["project"], async (project = "") => {
    const found = await look("/missing/codex", project);
    assertEquals(found[0], ["launcher", "failed"]);
    assertEquals(found.slice(3).map(([, status]) => status), ["skipped", "skipped", "skipped", "skipped"]);
  }));

test(
  "without a sandbox nothing that needs one is tried",
  { timeout: 60_000 },
  () =>
    withFolders(["bin", "project"], async (folder = "", project = "") => {
      const probe = 'exit 0\nfi\nif [ "$4" = -- ]; then echo "bwrap: no namespace" >&2; exit 1';
      const { executable } = await createLauncher({ folder, probe });
      assertEquals((await look(executable, project)).slice(3), [
        ["sandbox", "failed"],
        ["write-denied", "skipped"],
        ["network-closed", "skipped"],
        ["launcher-safe", "skipped"],
      ]);
    }),
);
