import { assertEquals } from "@std/assert";
import { test } from "node:test";
import {
  MORE_NAMES,
  serverEnvironment,
} from "../../../../../../adapters/mcp/host/connect/stdio/server_environment.ts";

const HOST = {
  PATH: "/usr/bin:relative::/bin",
  HOME: "/home/dev",
  CODEX_HOME: "/home/dev/.codex",
  LANG: "C.UTF-8",
  HTTPS_PROXY: "http://proxy",
  OPENAI_API_KEY: "secret",
  GITHUB_TOKEN: "secret",
  LD_PRELOAD: "/tmp/hook.so",
  NODE_OPTIONS: "--require /tmp/hook.js",
  __CF_USER_TEXT_ENCODING: "0x1F5",
  UNSET: undefined,
};

test("the base list passes, and nothing else", () => {
  assertEquals(serverEnvironment({ env: {}, envVars: [] }, { source: HOST, platform: "linux" }), {
    PATH: "/usr/bin:/bin",
    HOME: "/home/dev",
    CODEX_HOME: "/home/dev/.codex",
    LANG: "C.UTF-8",
    HTTPS_PROXY: "http://proxy",
  });
});

test("named variables pass when they are set, and what the configuration gives goes over all", () => {
  const entry = {
    envVars: ["GITHUB_TOKEN", "NODE_OPTIONS", "UNSET", "NOT_THERE", "PATH"],
    env: { HOME: "/srv", GITHUB_TOKEN: "own", LD_PRELOAD: "own", __proto__x: "1" },
  };
  const environment = serverEnvironment(entry, { source: HOST, platform: "linux" });
  assertEquals(environment, {
    PATH: "/usr/bin:relative::/bin",
    HOME: "/srv",
    CODEX_HOME: "/home/dev/.codex",
    LANG: "C.UTF-8",
    HTTPS_PROXY: "http://proxy",
    GITHUB_TOKEN: "own",
    NODE_OPTIONS: "--require /tmp/hook.js",
    LD_PRELOAD: "own",
    __proto__x: "1",
  });
});

test("each platform has names of its own; Windows folds their case, and one variable stays one", () => {
  assertEquals(
    serverEnvironment({ env: {}, envVars: [] }, {
      source: HOST,
      platform: "darwin",
    })["__CF_USER_TEXT_ENCODING"],
    "0x1F5",
  );
  const source = {
    Path: "C:\\Windows",
    SystemRoot: "C:\\Windows",
    UserDomain: "D",
    Token: "secret",
    Other: "secret",
  };
  const entry = { env: { PATH: "C:\\Tools" }, envVars: ["TOKEN"] };
  assertEquals(serverEnvironment(entry, { source, platform: "windows" }), {
    PATH: "C:\\Tools",
    SystemRoot: "C:\\Windows",
    UserDomain: "D",
    Token: "secret",
  });
  assertEquals(MORE_NAMES.linux, []);
});

test("names such as __proto__ are variables like any other", () => {
  const env = JSON.parse('{"__proto__":"x"}');
  const environment = serverEnvironment({ env, envVars: [] }, { source: {}, platform: "linux" });
  assertEquals(Object.entries(environment), [["__proto__", "x"]]);
});
