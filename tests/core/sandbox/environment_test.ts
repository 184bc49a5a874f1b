import { test } from "node:test";
import { assert, assertEquals, assertStrictEquals, assertThrows } from "@std/assert";
import { isEnvironmentHook, launcherEnvironment } from "../../../core/sandbox/environment.ts";

const HOOKS = [
  ...["LD_PRELOAD", "LD_LIBRARY_PATH", "LD_AUDIT", "DYLD_INSERT_LIBRARIES", "GLIBC_TUNABLES", "GCONV_PATH"],
  ...[
    "BASH_ENV",
    "ENV",
    "BASH_FUNC_ls%%",
    "SHELLOPTS",
    "BASHOPTS",
    "PS4",
    "PROMPT_COMMAND",
    "ZDOTDIR",
    "CDPATH",
    "IFS",
  ],
  ...["NODE_OPTIONS", "NODE_PATH", "DENO_DIR", "DENO_AUTH_TOKENS", "BUN_OPTIONS", "PYTHONPATH", "PYTHONHOME"],
  ...[
    "PYTHONSTARTUP",
    "PERL5LIB",
    "PERL5OPT",
    "PERL5DB",
    "PERLLIB",
    "RUBYOPT",
    "RUBYLIB",
    "JAVA_TOOL_OPTIONS",
  ],
  ...["_JAVA_OPTIONS", "JDK_JAVA_OPTIONS", "CLASSPATH", "PSMODULEPATH", "COR_PROFILER", "CORECLR_PROFILER"],
  ...["DOTNET_STARTUP_HOOKS", "GIT_SSH_COMMAND", "GIT_EXTERNAL_DIFF", "GIT_CONFIG_COUNT", "GIT_EXEC_PATH"],
];

test("isEnvironmentHook: loaders, shells and interpreters, whatever the case", () => {
  for (const name of HOOKS) {
    assert(isEnvironmentHook(name), name);
    assert(isEnvironmentHook(name.toLowerCase()), name);
  }
  for (
    const name of [
      "PATH",
      "HOME",
      "CODEX_HOME",
      "NODE_EXTRA_CA_CERTS",
      "LANG",
      "MY_LD_PRELOAD",
      "LDX",
      "ENVIRONMENT",
    ]
  ) {
    assert(!isEnvironmentHook(name), name);
  }
});

test("launcherEnvironment: the base list and nothing else", () => {
  const base = {
    ...{
      PATH: "/usr/bin:/bin",
      HOME: "/home/dev",
      USER: "dev",
      LOGNAME: "dev",
      SHELL: "/bin/sh",
      TERM: "xterm",
    },
    ...{ CODEX_HOME: "/home/dev/.codex", LANG: "C.UTF-8", LC_ALL: "C", LC_CTYPE: "C", TZ: "UTC" },
    ...{
      TMPDIR: "/tmp",
      TMP: "/tmp",
      TEMP: "/tmp",
      HTTPS_PROXY: "http://p",
      https_proxy: "http://p",
      NO_PROXY: "x",
    },
    ...{ SSL_CERT_FILE: "/c", SSL_CERT_DIR: "/d", NODE_EXTRA_CA_CERTS: "/e", CODEX_CA_CERTIFICATE: "/f" },
  };
  const rest = {
    ...{
      OPENAI_API_KEY: "secret",
      AWS_SECRET_ACCESS_KEY: "secret",
      GITHUB_TOKEN: "secret",
      PWD: "/x",
      path: "/evil",
    },
    ...{ codex_home: "/evil", HOMEX: "x", SYSTEMROOT: "C:\\Windows", PATHEXT: ".EXE", "": "x" },
  };
  assertEquals(launcherEnvironment({ ...rest, ...base }), base);
  assertEquals(launcherEnvironment({}), {});
});

test("launcherEnvironment: unset is left out, empty stays", () => {
  assertEquals(launcherEnvironment({ HOME: undefined, LANG: "" }), { LANG: "" });
});

test("launcherEnvironment: the operator's names come along, hooks never", () => {
  const source = { MINE: "1", OTHER: "2", ...Object.fromEntries(HOOKS.map((name) => [name, "/evil"])) };
  assertEquals(launcherEnvironment(source, { names: ["MINE", "ABSENT", ...HOOKS] }), { MINE: "1" });
  assertEquals(launcherEnvironment(source, { names: ["mine"] }), {});
  const own = launcherEnvironment(JSON.parse('{"__proto__":"x"}'), { names: ["__proto__"] });
  assertEquals(Object.entries(own), [["__proto__", "x"]]);
  assertStrictEquals(Object.hasOwn(launcherEnvironment({}, { names: ["toString"] }), "toString"), false);
});

test("launcherEnvironment: only absolute entries of PATH, in their order", () => {
  const path = (PATH: string, platform?: "darwin") => launcherEnvironment({ PATH }, { platform })["PATH"];
  assertStrictEquals(path("/b:.:/a::bin:./x:~/y:/c d:"), "/b:/a:/c d");
  assertStrictEquals(path("/a:C:\\x", "darwin"), "/a");
  assertStrictEquals(path("/a:/a"), "/a:/a");
});

test("launcherEnvironment: a PATH without an absolute entry is left out, for an empty one means here", () => {
  for (const PATH of ["", ".", ":", "bin:./x", "::"]) {
    assertEquals(launcherEnvironment({ PATH, HOME: "/h" }), { HOME: "/h" }, PATH);
  }
  assertEquals(launcherEnvironment({ Path: "bin;.", OS: "Windows_NT" }, { platform: "windows" }), {
    OS: "Windows_NT",
  });
});

test("launcherEnvironment: Windows by any case, with the system's own names", () => {
  const source = {
    ...{ Path: "C:\\Windows;.;bin;\\x;D:/y;/z", SystemRoot: "C:\\Windows", comspec: "cmd", PATHEXT: ".EXE" },
    ...{ UserProfile: "C:\\u", ProgramData: "C:\\p", Secret: "x", Ld_Preload: "x", Mine: "1" },
  };
  assertEquals(launcherEnvironment(source, { platform: "windows", names: ["MINE", "LD_PRELOAD"] }), {
    ...{ Path: "C:\\Windows;D:/y", SystemRoot: "C:\\Windows", comspec: "cmd", PATHEXT: ".EXE" },
    ...{ UserProfile: "C:\\u", ProgramData: "C:\\p", Mine: "1" },
  });
});

test("launcherEnvironment: a snapshot, frozen", () => {
  const source: Record<string, string> = { HOME: "/h" };
  const snapshot = launcherEnvironment(source);
  source["HOME"] = "/evil";
  assertStrictEquals(snapshot["HOME"], "/h");
  assertThrows(() => Object.assign(snapshot, { LD_PRELOAD: "/evil" }), TypeError);
});

test("launcherEnvironment: a relative CODEX_HOME would be looked up in the project, and is dropped", () => {
  assertEquals(launcherEnvironment({ CODEX_HOME: ".codex", HOME: "/root" }), { HOME: "/root" });
  assertEquals(launcherEnvironment({ CODEX_HOME: "/root/.codex" }), { CODEX_HOME: "/root/.codex" });
});
