/**
 * A policy file on its whole way: through `codex-mcp exec`, the bundled server and the launcher, into the real sandbox.
 *
 * @module
 */

import { assertEquals } from "@std/assert";
import { join } from "node:path";
import { test } from "node:test";
import { buildSandboxState } from "../../../core/sandbox/presets.ts";
import { realCodex } from "../../fixtures/codex_host/codex.ts";
import { createPlace, exists, type Place } from "../../fixtures/codex_host/place.ts";
import { createLauncher } from "../../fixtures/launchers/mod.ts";
import { runCommandLine } from "../command_line.ts";
import { bytesOf, LIMIT, recordedArguments } from "./servers.ts";
import { EVERYTHING, STATES } from "./states.ts";

async function policyFile(place: Place, text: string): Promise<string> {
  const file = join(place.folder, "policy.json");
  await Deno.writeTextFile(file, text);
  return file;
}

for (const [name, text] of [...Object.entries(STATES), ["all of them", EVERYTHING] as const]) {
  // a message is one line, so a line break between tokens goes out as a space
  test(`exec --policy FILE, ${name}: the launcher gets the bytes of the file`, LIMIT, async () => {
    await using place = await createPlace();
    const launcher = await createLauncher();
    try {
      const file = await policyFile(place, text);
      const words = ["exec", "--codex", launcher.executable, "--policy", file, "--", "true"];
      const { code, stderr } = await runCommandLine(place, words);
      assertEquals(code, 0, stderr);
      const [argv] = await recordedArguments(launcher.folder);
      assertEquals(argv, [
        "sandbox",
        "--sandbox-state-json",
        bytesOf(text.replaceAll("\r", " ")),
        "--",
        "true",
      ]);
    } finally {
      await launcher.remove();
    }
  });
}

test("the real sandbox takes a state that no value of JavaScript holds, and enforces it", LIMIT, async () => {
  await using place = await createPlace();
  const codex = await realCodex();
  const state = buildSandboxState("workspace-write", {
    directory: place.workspace,
    linuxSandboxExecutable: codex,
  });
  const exact = `{ "future" : ${EVERYTHING} , ${JSON.stringify(state).slice(1)}`;
  const file = await policyFile(place, exact);
  const [inside, outside] = [join(place.workspace, "inside"), join(place.folder, "beside")];
  const script = 'touch "$1" && ! touch "$2" 2>/dev/null';
  const words = [
    "exec",
    "--codex",
    codex,
    "--policy",
    file,
    "--",
    "/bin/sh",
    "-c",
    script,
    "sh",
    inside,
    outside,
  ];
  const { code, stderr } = await runCommandLine(place, words);
  assertEquals([code, stderr], [0, ""]);
  assertEquals([await exists(inside), await exists(outside)], [true, false]);
});
