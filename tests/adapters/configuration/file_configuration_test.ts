import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";
import { assertEquals, assertRejects } from "@std/assert";
import { fileConfiguration } from "../../../adapters/configuration/file_configuration.ts";
import { put, until, withFolder } from "./folder.ts";

test("fileConfiguration: one file, in TOML or JSON, as the user's layer", async () => {
  await withFolder(async (folder) => {
    const options = { directory: join(folder, "work"), home: join(folder, "home/.codex") };
    // a sandbox that runs meanwhile leaves one in the temporary folder, which would be the project then
    await mkdir(join(options.directory, ".git"), { recursive: true });
    const toml = await put(join(folder, "a.toml"), '[mcp_servers.a]\ncommand = "x"\n');
    const json = await put(join(folder, "b.conf"), '{"servers": {}}');
    for (const [path, format] of [[toml, "toml"], [json, "json"]] as const) {
      const outcome = await fileConfiguration(path, options).load();
      assertEquals(
        outcome.kind === "loaded" && outcome.layers.map(({ kind, source, format }) => [kind, source, format]),
        [
          ["user", path, format],
        ],
      );
      assertEquals(outcome.kind === "loaded" && [...outcome.texts.keys()], [path]);
    }
  });
});

test("fileConfiguration: one in the workspace is a project's that somebody named; ~/.codex is the user's anyway", async () => {
  await withFolder(async (folder) => {
    const options = { directory: folder, home: join(folder, ".codex") };
    await put(join(folder, "mcp.json"), "{}");
    await put(join(folder, ".codex/config.toml"), "");
    const inside = await fileConfiguration("mcp.json", options).load();
    assertEquals(
      inside.kind === "loaded" && [inside.layers[0]?.kind, inside.layers[0]?.admitted, inside.remarks.length],
      [
        "project",
        "named-file",
        1,
      ],
    );
    const own = await fileConfiguration(".codex/config.toml", options).load();
    assertEquals(own.kind === "loaded" && own.layers[0]?.kind, "user");
  });
});

test("fileConfiguration: not there, not readable, given up", async () => {
  await withFolder(async (folder) => {
    const source = fileConfiguration(join(folder, "none.json"), { directory: folder, home: folder });
    const missing = await source.load();
    assertEquals(missing.kind === "unavailable" && missing.reason, "ENOENT");
    await put(join(folder, "none.json"), "{");
    assertEquals((await source.load()).kind, "rejected");
    await assertRejects(() => source.load(AbortSignal.abort(new Error("Over"))), Error, "Over");
  });
});

test("fileConfiguration: the file is watched", async () => {
  await withFolder(async (folder) => {
    const path = await put(join(folder, "mcp.json"), "{}");
    const source = fileConfiguration(path, { directory: folder, home: folder });
    await source.load();
    let changes = 0;
    const watching = source.watch?.(() => changes++);
    try {
      await put(path, '{"servers": {}}');
      await until(() => changes === 1);
    } finally {
      watching?.close();
    }
  });
});
