import { assert, assertEquals, assertRejects } from "@std/assert";
import { symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";
import { UsageError } from "../../../../adapters/cli/program/exit_code.ts";
import { readPolicy, writableBy } from "../../../../adapters/cli/launcher/policy.ts";
import { refused } from "../../../contracts/refused.ts";
import { withFolders } from "../cli_process.ts";

const options = { directory: "/project", codex: "/opt/codex", platform: "linux" } as const;

test("a mode is the state of the same name, for this project and this launcher", async () => {
  for (const [name, type] of [["read-only", "managed"], ["danger-full-access", "disabled"]] as const) {
    const policy = await readPolicy(name, options);
    assertEquals([policy.name, policy.writableRoots], [name, []]);
    const state = JSON.parse(policy.stateText);
    assertEquals([state.permissionProfile.type, state.sandboxCwd], [type, "file:///project"]);
    assertEquals(state.codexLinuxSandboxExe, "/opt/codex");
  }
  const elsewhere = await readPolicy("read-only", { ...options, platform: "darwin" });
  assertEquals(JSON.parse(elsewhere.stateText).codexLinuxSandboxExe, null);
});

test("workspace-write makes the project and the temporary folders writable, by their real paths", async () => {
  await withFolders(["project", "temporary"], async (project = "", temporary = "") => {
    const link = join(project, "link");
    await symlink(temporary, link);
    const policy = await readPolicy("workspace-write", { ...options, directory: project, temporary: link });
    assertEquals(policy.writableRoots, [project, Deno.realPathSync("/tmp"), temporary]);
    assert(policy.stateText.includes(JSON.stringify(project)));
    const without = await readPolicy("workspace-write", options);
    assertEquals(without.writableRoots, ["/project", Deno.realPathSync("/tmp")]);
  });
});

test("a file is its text, character for character", async () => {
  await withFolders(["policies"], async (folder = "") => {
    const texts = [
      '{"n":9007199254740993,"i":-9223372036854775808,"e":1e400,"z":-0}',
      '{\n  "b": 1,\n\t"a": 2\n}\n',
      '{\r\n  "b" : [ ]\r\n}\r\n',
      '{"a":1,"a":2,"__proto__":{}}',
      '"\\u00e9é😀"',
      "null",
    ];
    for (const text of texts) {
      const path = join(folder, "policy.json");
      await writeFile(path, text);
      assertEquals(await readPolicy(path, options), { name: path, stateText: text, writableRoots: [] });
    }
  });
});

test("a file that is not JSON in UTF-8 is refused, and not quoted", async () => {
  await withFolders(["policies"], async (folder = "") => {
    const path = join(folder, "policy.json");
    for (
      const bytes of [
        "",
        "secret",
        "{} {}",
        "{'a':1}",
        new Uint8Array([0x22, 0xff, 0x22]),
        "\uFEFF{",
      ]
    ) {
      await writeFile(path, bytes);
      const { code, message } = await refused(() => readPolicy(path, options));
      assertEquals(code, "STATE_INEXACT");
      assertEquals(message, "Cannot send the policy file: it is not JSON in UTF-8.");
    }
  });
});

test("what is neither a mode nor a file that can be read is a wrong command line", async () => {
  await withFolders(["policies"], async (folder = "") => {
    for (const name of [join(folder, "missing.json"), folder, "readonly", "Read-Only", "toString"]) {
      const error = await assertRejects(() => readPolicy(name, options), UsageError);
      const modes = "read-only, workspace-write, danger-full-access";
      assertEquals(error.message, `--policy takes ${modes} or a file that can be read.`);
    }
  });
});

test("a file is taken to open the workspace; a mode opens what it says", async () => {
  await withFolders(["project"], async (directory = "") => {
    const of = async (name: string) =>
      writableBy(await readPolicy(name, { ...options, directory }), directory);
    assertEquals(await of("read-only"), { workspace: null, roots: [] });
    const { workspace, roots } = await of("workspace-write");
    assertEquals([workspace, roots.includes(directory)], [directory, true]);
    const file = { name: "/a/policy.json", writableRoots: [] };
    assertEquals(writableBy(file, directory), { workspace: directory, roots: [directory] });
  });
});
