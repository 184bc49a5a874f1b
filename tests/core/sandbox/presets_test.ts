import { test } from "node:test";
import { assertEquals, assertStrictEquals } from "@std/assert";
import fc from "fast-check";
import { captureAuthority } from "../../../core/sandbox/capture.ts";
import { compareAuthority } from "../../../core/sandbox/compare.ts";
import { buildSandboxState, SANDBOX_MODES } from "../../../core/sandbox/presets.ts";
import { projectDirectory } from "../../../core/sandbox/project_directory.ts";
import { CAPTURES_WITH_STATE } from "../../fixtures/captures/mod.ts";

for (const { name, meta, transport, mode, options } of CAPTURES_WITH_STATE) {
  test(`buildSandboxState: letter for letter the state of the capture ${name}`, () => {
    const state = buildSandboxState(mode, options);
    assertStrictEquals(JSON.stringify(state), JSON.stringify(meta["codex/sandbox-state"]));
    const authority = captureAuthority({ ...meta, "codex/sandbox-state": state }, { transport });
    assertEquals(compareAuthority(authority, captureAuthority(meta, { transport })), {
      same: true,
      changes: [],
    });
  });
}

test("SANDBOX_MODES: from the narrowest to the widest", () => {
  assertEquals([...SANDBOX_MODES], ["read-only", "workspace-write", "danger-full-access"]);
});

test("buildSandboxState: options of workspace-write change no other mode", () => {
  const directory = "/home/dev/project";
  const more = { directory, writableRoots: ["/srv"], network: true, excludeTemporary: true };
  for (const mode of ["read-only", "danger-full-access"] as const) {
    assertEquals(buildSandboxState(mode, more), buildSandboxState(mode, { directory }));
  }
});

test("buildSandboxState: no launcher data, and without an executable there is null", () => {
  for (const mode of SANDBOX_MODES) {
    const state = buildSandboxState(mode, { directory: "/p" });
    const fields = ["permissionProfile", "codexLinuxSandboxExe", "sandboxCwd", "useLegacyLandlock", "useMxc"];
    assertEquals(Object.keys(state), fields);
    assertStrictEquals(state["codexLinuxSandboxExe"], null);
  }
});

test("buildSandboxState: the directory comes back from the state, whatever its name", () => {
  // a dot segment names another directory, and a drive's letter another system's
  const segment = fc.string({ unit: "binary", minLength: 1, maxLength: 12 })
    .map((text) => text.replace(/[/\0]/g, "_")).filter((text) => !/^(\.{1,2}|[a-z][:|])$/i.test(text));
  const segments = fc.array(segment, { minLength: 1, maxLength: 4 });
  fc.assert(
    fc.property(segments, (parts) => {
      const directory = `/${parts.join("/")}`;
      assertStrictEquals(projectDirectory(buildSandboxState("read-only", { directory })), directory);
    }),
    { numRuns: 500 },
  );
  for (
    const name of [
      "a b",
      "a%20b",
      "a?b",
      "a#b",
      "a\\b",
      "a\nb",
      "a\tb",
      "a\rb",
      " a ",
      "ä",
      "😀",
      "~",
      "a;b&c|d",
    ]
  ) {
    const directory = `/home/${name}`;
    assertStrictEquals(projectDirectory(buildSandboxState("read-only", { directory })), directory);
  }
});

test("buildSandboxState: directories of Windows come back too", () => {
  for (const directory of ["C:\\Users\\dev", "c:\\a b\\ä", "D:\\x%20#y"]) {
    const state = buildSandboxState("read-only", { directory, platform: "windows" });
    assertStrictEquals(projectDirectory(state, { platform: "windows" }), directory);
  }
});

test("buildSandboxState: so do directories on a Windows share", () => {
  const directory = "\\\\server\\share\\project";
  const state = buildSandboxState("read-only", { directory, platform: "windows" });
  assertStrictEquals(state["sandboxCwd"], "file://server/share/project");
  assertStrictEquals(projectDirectory(state, { platform: "windows" }), directory);
});

test("buildSandboxState: Windows separators in what is protected", () => {
  const options = { directory: "C:\\p", writableRoots: ["D:\\q"], platform: "windows" as const };
  const text = JSON.stringify(buildSandboxState("workspace-write", options));
  for (const path of ["C:\\p\\.git", "D:\\q\\.git", "C:\\p\\.codex", "D:\\q\\.aws"]) {
    assertStrictEquals(text.includes(JSON.stringify(path)), true, path);
  }
});
