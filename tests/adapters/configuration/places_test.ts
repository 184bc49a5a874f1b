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
});

test("codexPlaces: on Windows the variables have any case", () => {
  const environment = { UserProfile: "U", Codex_Home: resolve("moved") };
  const { home, user } = codexPlaces({ environment, platform: "windows" });
  assertEquals([home, user], [join("U", ".codex"), resolve("moved", "config.toml")]);
  assertEquals(codexPlaces({ environment, platform: "linux" }).user.includes("moved"), false);
});

test("codexPlaces: no variable leads to another administrator", () => {
  const own = "C:\\ProgramData\\OpenAI\\Codex";
  const of = (environment: Record<string, string>): readonly (string | null)[] => {
    const { administrator, system } = codexPlaces({ environment, platform: "windows" });
    return [administrator, system];
  };
  const expected = [`${own}\\managed_config.toml`, `${own}\\config.toml`];
  for (
    const environment of [
      {},
      { ProgramData: resolve("pd") },
      { PROGRAMDATA: "D:\\work" },
      { SystemDrive: "D:\\work" },
      { SystemDrive: "" },
      { SystemDrive: "." },
      { SYSTEMDRIVE: "C:" },
    ]
  ) {
    assertEquals(of(environment), expected, JSON.stringify(environment));
  }
  assertEquals(of({ systemdrive: "E:" })[0], "E:\\ProgramData\\OpenAI\\Codex\\managed_config.toml");
});
