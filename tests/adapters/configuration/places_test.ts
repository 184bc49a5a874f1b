import { isAbsolute, join, resolve } from "node:path";
import process from "node:process";
import { test } from "node:test";
import { assertEquals } from "@std/assert";
import { codexPlaces } from "../../../adapters/configuration/places.ts";

test("codexPlaces: those of Codex", () => {
  const places = codexPlaces({ environment: { HOME: "/home/dev" }, platform: "linux", directory: "/work" });
  assertEquals(places, {
    administrator: "/etc/codex/managed_config.toml",
    system: "/etc/codex/config.toml",
    user: "/home/dev/.codex/config.toml",
    named: false,
    home: "/home/dev/.codex",
    directory: "/work",
  });
});

test("codexPlaces: CODEX_HOME, a file that somebody named, and what is absent", () => {
  const environment = { HOME: "/home/dev", CODEX_HOME: "/opt/codex" };
  assertEquals(codexPlaces({ environment, platform: "darwin" }).user, "/opt/codex/config.toml");
  const named = codexPlaces({ environment, platform: "darwin", file: "mcp.json" });
  assertEquals([named.user, named.named, named.directory], [resolve("mcp.json"), true, process.cwd()]);
  assertEquals(isAbsolute(codexPlaces({ environment: {}, platform: "linux" }).user), true);
  const windows = codexPlaces({
    environment: { ProgramData: "C:\\PD", USERPROFILE: "U" },
    platform: "windows",
  });
  assertEquals([windows.system, windows.home], [
    join("C:\\PD", "OpenAI", "Codex", "config.toml"),
    join("U", ".codex"),
  ]);
  assertEquals(codexPlaces({ environment: {}, platform: "windows" }).administrator, null);
});
