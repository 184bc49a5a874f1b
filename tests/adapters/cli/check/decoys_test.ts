import { assert, assertEquals } from "@std/assert";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { decoyName, placeDecoys } from "../../../../adapters/cli/check/decoys.ts";
import { createRecorder } from "../../../../adapters/cli/check/recorder.ts";

test("whatever leads to a codex leads to a decoy, and all else of the environment is kept", async () => {
  const recorder = await createRecorder();
  try {
    const environment = await placeDecoys(recorder, { PATH: "/bin", CODEX_HOME: "/own", OTHER: "x" });
    assertEquals([environment["OTHER"], environment["PATH"]], ["x", `${recorder.folder}/path:/bin`]);
    const home = environment["CODEX_HOME"]!;
    for (
      const path of [
        environment["CODEX_PATH"]!,
        join(home, "codex"),
        join(home, "bin/codex"),
        join(recorder.folder, "workspace/codex"),
        join(recorder.folder, "path/codex"),
      ]
    ) {
      assert(path.startsWith(recorder.folder) && existsSync(path), path);
      new Deno.Command(path, { args: ["sandbox", "--sandbox-state-json", "{}", "--help"] }).outputSync();
      const [launch] = await recorder.take();
      assert(decoyName(launch!)?.startsWith("the codex "), path);
    }
  } finally {
    await recorder.remove();
  }
});

test("no other stand-in is a decoy", () => {
  for (const by of ["launcher", "command", "forged", "constructor"]) {
    assertEquals(decoyName({ by }), undefined);
  }
});
