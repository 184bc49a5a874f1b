import { test } from "node:test";
import { assertEquals } from "@std/assert";
import { findPlaces, homeOf } from "../../../adapters/configuration/find_places.ts";

test("findPlaces: on Windows, in the syntax of its paths", () => {
  const disk = { platform: "windows", directory: () => "D:\\work\\app" } as const;
  const options = { environment: { systemdrive: "E:" }, platform: "windows", file: "..\\mcp.json" } as const;
  assertEquals(findPlaces(options, { home: "C:\\Users\\dev", disk }), {
    administrator: "E:\\ProgramData\\OpenAI\\Codex\\managed_config.toml",
    system: "E:\\ProgramData\\OpenAI\\Codex\\config.toml",
    user: "D:\\work\\mcp.json",
    named: true,
    home: "C:\\Users\\dev\\.codex",
    directory: "D:\\work\\app",
  });
});

test("findPlaces: a relative CODEX_HOME is relative to the process, not to where it works", () => {
  const disk = { platform: "linux", directory: () => "/process" } as const;
  const options = {
    environment: { CODEX_HOME: "own/../home" },
    platform: "linux",
    directory: "/work",
  } as const;
  const { user, directory } = findPlaces(options, { home: "/home/dev", disk });
  assertEquals([user, directory], ["/process/home/config.toml", "/work"]);
});

test("homeOf: what the variables name, or nothing", () => {
  assertEquals(homeOf({ environment: { HOME: "/h", USERPROFILE: "/u" }, platform: "linux" }), "/h");
  assertEquals(homeOf({ environment: { HOME: "", USERPROFILE: "/u" }, platform: "linux" }), "/u");
  assertEquals(homeOf({ environment: { home: "H" }, platform: "windows" }), "H");
  assertEquals(homeOf({ environment: {}, platform: "linux" }), null);
});
