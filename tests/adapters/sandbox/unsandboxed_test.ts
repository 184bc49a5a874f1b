import { assertEquals } from "@std/assert";
import { mkdtemp, realpath, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { runProcess } from "../../../adapters/sandbox/run.ts";
import { planUnsandboxedCommand } from "../../../adapters/sandbox/unsandboxed.ts";
import type { JsonValue } from "../../../core/json/value.ts";
import type { CapturedAuthority } from "../../../core/sandbox/authority.ts";
import { captureAuthority } from "../../../core/sandbox/capture.ts";
import { LINUX_ARGUMENT_BYTES } from "../../../core/sandbox/limits.ts";
import { RUNTIMES } from "../../contracts/runtimes.ts";
import { refusal, refusalCode } from "../../core/refusal.ts";

const platform = "linux";

function of(state: JsonValue): CapturedAuthority {
  return captureAuthority({ "codex/sandbox-state": state });
}

for (const { name, processes } of RUNTIMES) {
  const run = async (...planned: Parameters<typeof planUnsandboxedCommand>) => {
    const environment = { PATH: "/usr/bin:/bin" };
    const outcome = await runProcess(processes, planUnsandboxedCommand(...planned), {
      environment,
      maxOutputBytes: 9_999,
    });
    return { exitCode: outcome.exitCode, stdout: new TextDecoder().decode(outcome.stdout) };
  };

  test(`${name}: the command starts where its sandbox would have`, async () => {
    await withFolder(async (folder) => {
      const state = { sandboxCwd: `file://${folder}` };
      assertEquals(await run(["pwd", "-P"], { authority: of(state), platform }), {
        exitCode: 0,
        stdout: `${folder}\n`,
      });
      const plain = { sandboxCwd: folder };
      assertEquals((await run(["pwd", "-P"], { authority: of(plain), platform })).stdout, `${folder}\n`);
    });
  });

  test(`${name}: a directory is absolute, or relative to the state's`, async () => {
    await withFolder(async (folder) => {
      const state = { sandboxCwd: `file://${folder}` };
      const pwd = (directory: string) => run(["pwd", "-P"], { authority: of(state), directory, platform });
      assertEquals((await pwd("..")).stdout, `${join(folder, "..")}\n`);
      assertEquals((await pwd("/")).stdout, "/\n");
      assertEquals((await run(["pwd", "-P"], { authority: of({}), directory: "/", platform })).stdout, "/\n");
      assertEquals((await pwd("missing")).exitCode, 125);
    });
  });

  test(`${name}: arguments arrive byte for byte, and no shell reads them`, async () => {
    const words = ["", " ", "$HOME `id` *", "--", "-c", "'\"\\", "a\nb", "😀"];
    for (const state of [{}, { sandboxCwd: "file:///" }]) {
      const { stdout } = await run(["printf", "%s\\0", ...words], { authority: of(state), platform });
      assertEquals(stdout.split("\0").slice(0, -1), words);
    }
  });

  test(`${name}: a directory whose name is a script or an option is a name`, async () => {
    await withFolder(async (folder) => {
      await writeFile(join(folder, "file"), "");
      for (const directory of ["$(touch hit)", "-", "--", "-P", "; touch hit", "file"]) {
        const state = { sandboxCwd: `file://${folder}` };
        assertEquals(await run(["ls"], { authority: of(state), directory, platform }), {
          exitCode: 125,
          stdout: "",
        });
      }
      assertEquals((await run(["ls"], { authority: of({ sandboxCwd: folder }), platform })).stdout, "file\n");
    });
  });
}

test("a state that names a directory of another system is refused", () => {
  const state = { sandboxCwd: "file:///C:/project" };
  assertEquals(
    refusalCode(() => planUnsandboxedCommand(["ls"], { authority: of(state), platform })),
    "DIRECTORY_NOT_NATIVE",
  );
  const share = { sandboxCwd: "file://server/share" };
  assertEquals(
    refusalCode(() => planUnsandboxedCommand(["ls"], { authority: of(share), platform })),
    "DIRECTORY_NOT_NATIVE",
  );
});

test("a state without a readable directory is the server's own", () => {
  for (const state of [null, 7, "text", [], {}, { sandboxCwd: 7 }, { sandboxCwd: "file:///%ff" }]) {
    assertEquals(planUnsandboxedCommand(["ls", "-l"], { authority: of(state), platform }), {
      executable: "/bin/sh",
      args: ["-c", 'exec "$@"', "sh", "ls", "-l"],
    });
  }
});

test("a command that cannot be passed on is refused", () => {
  const large = "x".repeat(LINUX_ARGUMENT_BYTES + 1);
  for (const state of [{}, { sandboxCwd: "file:///" }]) {
    for (const command of [[], [""], ["-x"], ["ls", "a\0b"], ["ls", "\ud800"], ["ls", large]]) {
      assertEquals(
        refusalCode(() => planUnsandboxedCommand(command, { authority: of(state), platform })),
        "COMMAND_INVALID",
      );
    }
  }
  for (const directory of ["", "a\0b", "\ud800"]) {
    const refused = refusal(() =>
      planUnsandboxedCommand(["ls"], { authority: of({ sandboxCwd: "file:///" }), directory, platform })
    );
    assertEquals(refused.code, "COMMAND_INVALID");
  }
});

test("Windows runs the program itself, and changes no directory", () => {
  const state = { sandboxCwd: "file:///C:/project" };
  const command = ["C:\\x.exe", "a b"];
  const planned = planUnsandboxedCommand(command, { authority: of(state), platform: "windows" });
  assertEquals(planned, { executable: "C:\\x.exe", args: ["a b"] });
  const moved = () =>
    planUnsandboxedCommand(command, { authority: of(state), platform: "windows", directory: "C:\\" });
  assertEquals(refusalCode(moved), "COMMAND_INVALID");
});

async function withFolder(body: (folder: string) => Promise<void>): Promise<void> {
  const folder = await realpath(await mkdtemp(join(tmpdir(), "codex-mcp-unsandboxed-")));
  try {
    await body(folder);
  } finally {
    await rm(folder, { recursive: true });
  }
}

test("a state that no sandbox could be given is refused without one too", () => {
  for (const platform of ["linux", "windows", "darwin"] as const) {
    const authority = of("x".repeat(platform === "darwin" ? 800_000 : LINUX_ARGUMENT_BYTES));
    assertEquals(
      refusalCode(() => planUnsandboxedCommand(["C:\\a.exe"], { authority, platform })),
      "STATE_TOO_LARGE",
    );
  }
});
