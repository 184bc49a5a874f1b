import { assertEquals } from "@std/assert";
import { mkdir, mkdtemp, realpath, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import { test } from "node:test";
import { placesOnTheWay } from "../../../../../adapters/mcp/host/sandbox/places_on_the_way.ts";

/** Whether anybody may make symbolic links. */
const LINKS = process.platform !== "win32";

test("where each link stands and points, folders included, in their order", { skip: !LINKS }, async () => {
  const top = await realpath(await mkdtemp(join(tmpdir(), "places-")));
  const at = (...names: readonly string[]): string => join(top, ...names);
  try {
    await mkdir(at("real", "bin"), { recursive: true });
    await writeFile(at("real", "bin", "codex"), "");
    await symlink("real", at("folder"));
    await symlink("../folder/bin/codex", at("real", "link"));
    await symlink("loop", at("loop"));
    const places = await placesOnTheWay(at("real", "link"), { platform: "linux" });
    assertEquals(places, [
      at("real", "link"),
      at("folder", "bin", "codex"),
      at("folder"),
      at("real", "bin", "codex"),
    ]);
    assertEquals(await placesOnTheWay(at("loop"), { platform: "linux" }), [at("loop")]);
    assertEquals(await placesOnTheWay(at("real", "..", "nowhere"), { platform: "linux" }), [
      at("nowhere"),
    ]);
  } finally {
    await rm(top, { recursive: true });
  }
});
