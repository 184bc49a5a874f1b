import { assertEquals } from "@std/assert";
import { existsSync } from "node:fs";
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";
import { createRecorder, type Recorder } from "../../../../adapters/cli/check/recorder.ts";

const PROBE = ["sandbox", "--sandbox-state-json", "{}", "--help"];

test("a stand-in writes down every argument byte for byte, and becomes the command", async () => {
  await withRecorder(async (recorder) => {
    const launcher = await recorder.place("launcher", { path: "it's here/codex" });
    const odd = "'\"\\$HOME `id` * é Á\u0081\u0088 \u{1f600}\t\n-0 1e400 %s";
    const args = ["sandbox", "", odd, "--", "/bin/sh", "-c", "exit 7"];
    assertEquals(run(launcher, args, recorder.folder), 7);
    assertEquals(await recorder.take(), [{ by: "launcher", directory: recorder.folder, args }]);
    assertEquals(await recorder.take(), []);
  });
});

test("the probe is answered and not recorded, but for what must not be started at all", async () => {
  await withRecorder(async (recorder) => {
    const launcher = await recorder.place("launcher", { path: "bin/codex" });
    const decoy = await recorder.place("decoy", { path: "path/codex", recordsProbe: true });
    assertEquals([run(launcher, PROBE), run(decoy, PROBE)], [0, 0]);
    assertEquals((await recorder.take()).map(({ by, args }) => [by, args]), [["decoy", PROBE]]);
    assertEquals(run(launcher, [...PROBE, "x"]), 64);
    assertEquals((await recorder.take()).length, 1);
  });
});

test("a stand-in for a program becomes it with its own arguments", async () => {
  await withRecorder(async (recorder) => {
    const command = await recorder.place("command", { path: "path/sh", becomes: "/bin/sh" });
    assertEquals(run(command, ["-c", "exit 5", "--", "x"]), 5);
    assertEquals((await recorder.take()).map(({ by, args }) => [by, args]), [
      ["command", ["-c", "exit 5", "--", "x"]],
    ]);
  });
});

test("a stand-in that fails writes down its start, answers the probe, and runs nothing", async () => {
  await withRecorder(async (recorder) => {
    const marker = join(recorder.folder, "ran");
    const args = ["sandbox", "--sandbox-state-json", "{}", "--", "/bin/sh", "-c", `: > ${marker}`];
    for (const [fails, code] of [[1, 1], [127, 127], ["killed", 137]] as const) {
      const launcher = await recorder.place("failing", { path: `failing-${fails}/codex`, fails });
      assertEquals([run(launcher, PROBE), run(launcher, args)], [0, code]);
      assertEquals((await recorder.take()).map((launch) => launch.args), [args]);
    }
    assertEquals(existsSync(marker), false);
  });
});

test("a record that is still being written is left until it is whole", async () => {
  await withRecorder(async (recorder) => {
    await mkdir(join(recorder.folder, "records"), { recursive: true });
    const file = join(recorder.folder, "records", "launcher.1");
    await writeFile(file, "/here\0sandbox\0--sandbox");
    assertEquals(await recorder.take(), []);
    await writeFile(file, "/here\0sandbox\0end\0");
    assertEquals(await recorder.take(), [{ by: "launcher", directory: "/here", args: ["sandbox"] }]);
  });
});

function run(executable: string, args: readonly string[], cwd = "/"): number {
  return new Deno.Command(executable, { args: [...args], cwd, stdin: "null" }).outputSync().code;
}

async function withRecorder(body: (recorder: Recorder) => Promise<void>): Promise<void> {
  const recorder = await createRecorder();
  try {
    await body(recorder);
  } finally {
    await recorder.remove();
  }
  assertEquals(existsSync(recorder.folder), false);
}
