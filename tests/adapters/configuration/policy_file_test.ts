import { chmod, mkdir } from "node:fs/promises";
import { join } from "node:path";
import process from "node:process";
import { test } from "node:test";
import { assertEquals } from "@std/assert";
import {
  loadPolicyFile,
  malformed,
  type PolicyFile,
  unavailable,
} from "../../../adapters/configuration/policy_file.ts";
import { put, withFolder } from "./folder.ts";

const TOML = '[mcp_servers.a]\ncommand = "x"\n';
const JSON_TEXT = '{"mcpServers": {"a": {"command": "x"}}}';

async function load(folder: string, file: Partial<PolicyFile> & { readonly path: string }) {
  const whole: PolicyFile = { kind: "user", required: false, named: false, ...file };
  await mkdir(join(folder, "work"), { recursive: true });
  return await loadPolicyFile(whole, { workspace: join(folder, "work"), exception: null });
}

test("loadPolicyFile: a file of host policy", async () => {
  await withFolder(async (folder) => {
    const path = await put(join(folder, "config.toml"), TOML);
    const outcome = await load(folder, { path });
    assertEquals(outcome.kind === "read" && [outcome.layer, outcome.text, outcome.remark], [
      {
        kind: "user",
        source: path,
        values: { mcp_servers: { a: { command: "x" } } },
        codexFile: true,
        format: "toml",
      },
      { format: "toml", text: TOML },
      null,
    ]);
  });
});

test("loadPolicyFile: one in the workspace counts as the project's, and names servers only when it was named", async () => {
  await withFolder(async (folder) => {
    const path = await put(join(folder, "work", "config.toml"), TOML);
    const plain = await load(folder, { path });
    assertEquals(plain.kind === "read" && [plain.layer?.kind, plain.layer?.admitted], ["project", undefined]);
    assertEquals(plain.kind === "read" && plain.remark?.includes("lies in the workspace"), true);
    const named = await load(folder, { path, named: true });
    assertEquals(named.kind === "read" && [named.layer?.kind, named.layer?.admitted], [
      "project",
      "named-file",
    ]);
    const fixed = await load(folder, { path, kind: "system" });
    assertEquals(fixed.kind === "read" && fixed.layer?.kind, "system");
  });
});

test("loadPolicyFile: the file of other hosts lies in the workspace by custom", async () => {
  await withFolder(async (folder) => {
    const path = await put(join(folder, "work", ".mcp.json"), '{"mcpServers":{"s":{"command":"x"}}}');
    const named = await load(folder, { path, named: true });
    assertEquals(named.kind === "read" && [named.layer?.kind, named.remark], ["project", null]);
    const native = await put(join(folder, "work", "codex.json"), '{"mcp_servers":{}}');
    const outcome = await load(folder, { path: native, named: true });
    assertEquals(outcome.kind === "read" && outcome.remark?.includes("lies in the workspace"), true);
  });
});

test("loadPolicyFile: one that others may write counts as the project's", async () => {
  if (process.platform === "win32") return;
  await withFolder(async (folder) => {
    const path = await put(join(folder, "config.toml"), TOML);
    await chmod(path, 0o666);
    const outcome = await load(folder, { path, kind: "administrator" });
    assertEquals(outcome.kind === "read" && outcome.layer?.kind, "project");
  });
});

test("loadPolicyFile: JSON only when somebody named the file", async () => {
  await withFolder(async (folder) => {
    const path = await put(join(folder, "mcp.json"), JSON_TEXT);
    const named = await load(folder, { path, named: true });
    assertEquals(named.kind === "read" && [named.layer?.format, named.layer?.codexFile], ["json", false]);
    assertEquals((await load(folder, { path })).kind, "rejected");
  });
});

test("loadPolicyFile: what is malformed rejects, except in a project's own file", async () => {
  await withFolder(async (folder) => {
    const path = await put(join(folder, "config.toml"), 'a = 1\nb = "secret-7');
    const outcome = await load(folder, { path });
    assertEquals(
      outcome.kind === "rejected" && [outcome.fault.code, outcome.fault.line, outcome.fault.layer],
      [
        "FILE_MALFORMED",
        2,
        { kind: "user", source: path },
      ],
    );
    assertEquals(JSON.stringify(outcome).includes("secret-7"), false);
    const project = await load(folder, { path, kind: "project" });
    assertEquals(project.kind === "read" && [project.layer, project.remark?.includes("it is no TOML")], [
      null,
      true,
    ]);
    const inside = await put(join(folder, "work", "c.toml"), "a =");
    assertEquals((await load(folder, { path: inside })).kind, "read");
    assertEquals((await load(folder, { path: inside, named: true })).kind, "rejected");
    const utf16 = await put(join(folder, "utf16.toml"), new Uint8Array([0xff, 0xfe, 0x61, 0x00]));
    const bytes = await load(folder, { path: utf16 });
    assertEquals(bytes.kind === "rejected" && bytes.fault.message.includes("Save it as UTF-8"), true);
  });
});

test("loadPolicyFile: what is not there, and what cannot be read", async () => {
  await withFolder(async (folder) => {
    const path = join(folder, "none.toml");
    const optional = await load(folder, { path });
    assertEquals(optional.kind === "read" && [optional.layer, optional.remark], [null, null]);
    const required = await load(folder, { path, required: true });
    assertEquals(required.kind === "unavailable" && [required.source, required.reason], [path, "ENOENT"]);
    const directory = await load(folder, { path: folder });
    assertEquals(directory.kind === "unavailable" && directory.reason, "NO_FILE");
    const project = await load(folder, { path: folder, kind: "project" });
    assertEquals(project.kind === "read" && project.remark?.includes("it is no file"), true);
  });
});

test("malformed, unavailable: sentences with the file", () => {
  const layer = { kind: "user", source: "/a.toml" } as const;
  const { fault, faults } = malformed({
    kind: "malformed",
    format: "toml",
    line: null,
    state: "it is no TOML.",
  }, layer);
  assertEquals([fault.line, faults.length, fault.layer], [undefined, 1, layer]);
  assertEquals(
    unavailable("/a.toml", "EACCES").message,
    'Cannot read the configuration "/a.toml": the system says EACCES.',
  );
});
