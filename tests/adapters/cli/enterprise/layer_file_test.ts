import { assert, assertEquals, assertMatch, assertRejects } from "@std/assert";
import { chmod, mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";
import { readPolicyLayer, readProjectLayer } from "../../../../adapters/cli/enterprise/layer_file.ts";
import { EnterpriseError } from "../../../../core/enterprise/error.ts";
import { withFolders } from "../cli_process.ts";

test("a file becomes the layer that it is meant to be", async () => {
  await withFolders(["home", "workspace"], async (home = "", workspace = "") => {
    const path = join(home, "config.toml");
    await writeFile(path, "[features]\nuse_xaa = true\n", { mode: 0o600 });
    for (const kind of ["system", "user", "administrator"] as const) {
      assertEquals(await readPolicyLayer({ path, kind, required: false }, { workspace, home }), {
        layer: { kind, source: path, values: { features: { use_xaa: true } }, codexFile: true },
        remark: null,
      });
    }
  });
});

test("one that may not be is the project's, and why is said", async () => {
  await withFolders(["home", "workspace"], async (home = "", workspace = "") => {
    const path = join(workspace, "config.toml");
    await writeFile(path, "a = 1\n");
    const file = { path, kind: "user", required: true } as const;
    const { layer, remark } = await readPolicyLayer(file, { workspace, home });
    assertEquals(layer?.kind, "project");
    assertMatch(remark ?? "", /counts as the project's: it lies in the workspace\. Move it/);
    await chmod(path, 0o666);
    const open = await readPolicyLayer({ ...file, kind: "system" }, { workspace: home, home });
    assertEquals(open.layer?.kind, "project");
    assertMatch(open.remark ?? "", /others may write it .*chmod go-w/);
  });
});

test("nothing, no file, too much, and what is no TOML", async () => {
  await withFolders(["home", "workspace"], async (home = "", workspace = "") => {
    const at = { workspace, home };
    const missing = { path: join(home, "missing.toml"), kind: "user" } as const;
    const nothing = { layer: null, remark: null };
    assertEquals(await readPolicyLayer({ ...missing, required: false }, at), nothing);
    assertEquals(await readPolicyLayer({ path: null, kind: "system", required: false }, at), nothing);
    const codeOf = async (path: string, required = false): Promise<string> =>
      (await assertRejects(() => readPolicyLayer({ path, kind: "user", required }, at), EnterpriseError))
        .code;
    assertEquals(await codeOf(missing.path, true), "CONFIGURATION_UNAVAILABLE");
    await mkdir(join(home, "folder.toml"));
    assertEquals(await codeOf(join(home, "folder.toml")), "CONFIGURATION_UNAVAILABLE");
    await writeFile(join(home, "large.toml"), `a = "${"x".repeat(1 << 20)}"`);
    assertEquals(await codeOf(join(home, "large.toml")), "CONFIGURATION_UNAVAILABLE");
    await writeFile(join(home, "broken.toml"), "hush");
    assertEquals(await codeOf(join(home, "broken.toml")), "CONFIGURATION_REFUSED");
  });
});

test("a project's file never throws", async () => {
  await withFolders(["workspace"], async (workspace = "") => {
    assertEquals(await readProjectLayer(join(workspace, "missing.toml")), { layer: null, remark: null });
    await mkdir(join(workspace, "folder.toml"));
    await writeFile(join(workspace, "broken.toml"), 'secret = "hush');
    for (const name of ["folder.toml", "broken.toml"]) {
      const { layer, remark } = await readProjectLayer(join(workspace, name));
      assertEquals(layer, null);
      assert(remark !== null && !remark.includes("hush"));
    }
    await writeFile(join(workspace, "good.toml"), "a = 1");
    assertEquals((await readProjectLayer(join(workspace, "good.toml"))).layer?.kind, "project");
  });
});
