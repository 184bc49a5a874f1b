import { assertEquals } from "@std/assert";
import { chmod, chown, mkdir, symlink, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import process from "node:process";
import { test } from "node:test";
import { distrustOf } from "../../../adapters/configuration/layer_trust.ts";
import { withFolders } from "../cli/cli_process.ts";
import { DISKS } from "./disks.ts";

async function place(path: string, mode = 0o600): Promise<string> {
  await mkdir(dirname(path), { recursive: true, mode: 0o700 });
  await writeFile(path, "");
  await chmod(path, mode);
  return path;
}

for (const [name, disk] of DISKS) {
  test(`a file outside the workspace that nobody else may write is host policy: ${name}`, async () => {
    await withFolders(["home", "workspace"], async (home = "", workspace = "") => {
      const facts = { disk, workspace, exception: join(home, ".codex"), fixed: false };
      assertEquals(await distrustOf(await place(join(home, "config.toml")), facts), null);
      assertEquals(await distrustOf(await place(join(home, "readable.toml"), 0o644), facts), null);
      assertEquals(await distrustOf(await place(join(`${workspace}-beside`, "config.toml")), facts), null);
    });
  });

  test(`a file in the workspace is not, by whatever name it is reached: ${name}`, async () => {
    await withFolders(["home", "workspace"], async (home = "", workspace = "") => {
      const facts = { disk, workspace, exception: join(home, ".codex"), fixed: false };
      const inside = await place(join(workspace, "deep", "config.toml"));
      const outside = await place(join(home, "config.toml"));
      await symlink(inside, join(home, "link.toml"));
      await symlink(outside, join(workspace, "link.toml"));
      await symlink(home, join(workspace, "folder"));
      await symlink(workspace, join(home, "workspace"));
      for (
        const path of [
          inside,
          join(home, "link.toml"),
          join(workspace, "link.toml"),
          join(workspace, "folder", "config.toml"),
          join(home, "workspace", "deep", "config.toml"),
          join(home, "..", "workspace", "deep", "config.toml"),
        ]
      ) assertEquals(await distrustOf(path, facts), "in-workspace", path);
      const linked = { ...facts, workspace: join(home, "workspace") };
      assertEquals(await distrustOf(inside, linked), "in-workspace");
    });
  });

  test(`the default folder is the user's although the workspace lies around it: ${name}`, async () => {
    await withFolders(["home"], async (home = "") => {
      const facts = { disk, workspace: home, exception: join(home, ".codex"), fixed: false };
      assertEquals(await distrustOf(await place(join(home, ".codex", "config.toml")), facts), null);
      assertEquals(
        await distrustOf(await place(join(home, ".codex", "deep", "config.toml")), facts),
        "in-workspace",
      );
      assertEquals(await distrustOf(await place(join(home, "other", "config.toml")), facts), "in-workspace");
      const project = await place(join(home, "project", "config.toml"));
      await symlink(project, join(home, ".codex", "link.toml"));
      assertEquals(await distrustOf(join(home, ".codex", "link.toml"), facts), "in-workspace");
      assertEquals(await distrustOf(project, { ...facts, fixed: true }), null);
    });
  });

  test(`a file that others may write or replace is not: ${name}`, async () => {
    await withFolders(["home", "workspace"], async (home = "", workspace = "") => {
      const facts = { disk, workspace, exception: null, fixed: true };
      const foreign = (process.getgid?.() ?? 0) + 12_345;
      assertEquals(
        await distrustOf(await place(join(home, "world.toml"), 0o602), facts),
        "writable-by-others",
      );
      const file = await place(join(home, "open", "config.toml"));
      await chmod(dirname(file), 0o777);
      assertEquals(await distrustOf(file, facts), "writable-by-others");
      await chmod(dirname(file), 0o1777);
      assertEquals(await distrustOf(file, facts), null);
      await chmod(dirname(file), 0o755);
      await chmod(home, 0o777);
      assertEquals(await distrustOf(file, facts), "writable-by-others");
      await chmod(home, 0o755);
      const own = await place(join(home, "group.toml"), 0o660);
      assertEquals(await distrustOf(own, facts), null);
      if (process.getuid?.() !== 0) return; // only root can give files away
      await chown(own, 0, foreign);
      assertEquals(await distrustOf(own, facts), "writable-by-others");
      const given = await place(join(home, "given.toml"));
      await chown(given, foreign, 0);
      assertEquals(await distrustOf(given, facts), "writable-by-others");
    });
  });
}
