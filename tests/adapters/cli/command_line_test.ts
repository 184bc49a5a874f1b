import { assert, assertEquals, assertMatch } from "@std/assert";
import process from "node:process";
import { test } from "node:test";
import { COMMANDS, runCommandLine } from "../../../adapters/cli/command_line.ts";
import type { Command } from "../../../adapters/cli/program/command.ts";
import { VERSION } from "../../../adapters/version.ts";
import { runCli, runtimeOf } from "./cli_process.ts";

const limit = { timeout: 120_000 };

test("the version is one line", limit, async () => {
  for (const word of ["--version", "-V"]) {
    assertEquals(await runCli([word]), { exitCode: 0, stdout: `codex-mcp ${VERSION}\n`, stderr: "" });
  }
});

test("help names every command, and the exit codes", limit, async () => {
  const { exitCode, stdout, stderr } = await runCli(["--help"]);
  assertEquals([exitCode, stderr], [0, ""]);
  const commands = [
    "exec",
    "serve",
    "doctor",
    "servers",
    "tools",
    "call",
    "login",
    "logout",
    "status",
    "token",
  ];
  for (const command of commands) {
    assertMatch(stdout, new RegExp(`^  codex-mcp ${command} `, "m"));
  }
  for (const word of ["-h", "help"]) assertEquals((await runCli([word])).stdout, stdout);
  assert(!stdout.includes("\u001b"));
});

test("each command has a help with each of its flags, and does nothing else", limit, async () => {
  const flags = {
    exec: [
      "policy",
      "cwd",
      "directory",
      "codex",
      "stdin",
      "timeout",
      "disable-network",
      "readable-root",
      "pass-env",
    ],
    serve: [
      "allow-unsandboxed",
      "refuse-disabled",
      "disable-network",
      "readable-root",
      "pass-env",
      "max-output",
    ],
    doctor: ["codex", "cwd", "json"],
    login: ["idp", "no-browser", "device", "id-token-stdin", "refresh-token-stdin", "yes", "config", "json"],
    logout: ["idp", "config", "json"],
    servers: ["connect", "offline", "stderr", "config", "json"],
    tools: ["schema", "refresh", "config", "json"],
    call: ["policy", "cwd", "environment", "codex", "timeout", "output", "config", "json"],
    status: ["codex", "config", "json"],
    token: ["config", "json"],
  };
  for (const [command, names] of Object.entries(flags)) {
    const { exitCode, stdout, stderr } = await runCli([command, "--help"]);
    assertEquals([exitCode, stderr], [0, ""]);
    assertMatch(stdout, new RegExp(`^codex-mcp ${command} `));
    for (const name of names) assertMatch(stdout, new RegExp(`^  --${name}\\b`, "m"));
  }
});

test("a command that is not known is a wrong command line, with a hint", limit, async () => {
  for (const word of ["frobnicate", "toString", "__proto__", "Exec", ""]) {
    const { exitCode, stdout, stderr } = await runCli([word]);
    assertEquals([exitCode, stdout], [2, ""]);
    assertEquals(stderr, `codex-mcp: There is no command ${JSON.stringify(word)}.\nTry: codex-mcp --help\n`);
  }
  const none = await runCli([]);
  assertEquals([none.exitCode, none.stdout], [2, ""]);
  assertMatch(none.stderr, /^codex-mcp: Which command\?\nTry: codex-mcp --help\n$/);
});

test("a wrong flag is a wrong command line, with the command's own hint", limit, async () => {
  const lines = {
    exec: ["--frobnicate", "--policy", "--timeout=never", "--pass-env=LD_PRELOAD", "--max-output=0"],
    serve: ["--frobnicate", "extra", "--allow-unsandboxed=no", "--timeout=-1", "--pass-env=node_options"],
    doctor: ["--frobnicate", "extra", "--cwd=/missing"],
    login: ["--frobnicate", "extra", "--idp", "--yes=no"],
    logout: ["--frobnicate", "extra", "--idp"],
    status: ["--frobnicate", "extra", "--config"],
    token: ["--frobnicate", "--config"],
  };
  for (const [command, words] of Object.entries(lines)) {
    for (const word of words) {
      const rest = command === "exec" ? ["--", "true"] : [];
      const { exitCode, stdout, stderr } = await runCli([command, word, ...rest]);
      assertEquals([exitCode, stdout], [2, ""], `${command} ${word}: ${stderr}`);
      assertMatch(stderr, new RegExp(`^codex-mcp: .+\\nTry: codex-mcp ${command} --help\\n$`));
    }
  }
});

test("with --json an error is one document on standard output, and nothing else is said", limit, async () => {
  const lines = [["exec", "--json"], ["exec", "--json", "--nope", "--", "true"], ["doctor", "--json", "x"], [
    "x",
    "--json",
  ]];
  for (const args of lines) {
    const { exitCode, stdout, stderr } = await runCli(args);
    assertEquals([exitCode, stderr], [2, ""]);
    const document = JSON.parse(stdout);
    assertEquals(Object.keys(document), ["error"]);
    assertEquals(Object.keys(document.error), ["code", "message"]);
    assertEquals(document.error.code, "USAGE");
  }
});

test("a --json after -- is the command's own", limit, async () => {
  const { exitCode, stdout, stderr } = await runCli(["exec", "--nope", "--", "x", "--json"]);
  assertEquals([exitCode, stdout], [2, ""]);
  assertMatch(stderr, /There is no --nope/);
});

test("a package that npm left out is told with its remedy, and exec has failed as a chain", async () => {
  const message = "Cannot find package '@modelcontextprotocol/client' imported from /a.js";
  const missing = Object.assign(new Error(message), { code: "ERR_MODULE_NOT_FOUND" });
  const commands = COMMANDS as Record<string, () => Promise<Command>>;
  const { exec, servers } = COMMANDS;
  const said: string[] = [];
  const write = process.stderr.write;
  process.stderr.write = (text: string | Uint8Array) => said.push(String(text)) > 0;
  try {
    for (const [name, code] of [["exec", 125], ["servers", 5]] as const) {
      commands[name] = () => Promise.reject(missing);
      assertEquals(await runCommandLine(runtimeOf({ args: [name, "--", "true"] })), code);
      assertMatch(said.pop() ?? "", /PACKAGE_MISSING: .+ Run: npm install --include=optional\n$/);
    }
  } finally {
    process.stderr.write = write;
    Object.assign(commands, { exec, servers });
  }
});
