import { test } from "node:test";
import { assertEquals, assertStringIncludes } from "@std/assert";
import { runCli } from "../cli_process.ts";

const CALL = {
  jsonrpc: "2.0",
  id: 2,
  method: "tools/call",
  params: {
    name: "exec",
    arguments: { command: ["true"] },
    _meta: { "codex/sandbox-state": { permissionProfile: { type: "disabled" }, sandboxCwd: "/" } },
  },
};
const HANDSHAKE = [
  {
    jsonrpc: "2.0",
    id: 1,
    method: "initialize",
    params: { protocolVersion: "2025-06-18", capabilities: {}, clientInfo: { name: "test", version: "1" } },
  },
  { jsonrpc: "2.0", method: "notifications/initialized" },
  CALL,
].map((message) => JSON.stringify(message)).join("\n") + "\n";

test("serve takes flags alone", async () => {
  const { exitCode, stdout, stderr } = await runCli(["serve", "something"]);
  assertEquals([exitCode, stdout], [2, ""]);
  assertStringIncludes(stderr, "serve takes flags alone");
});

test("serve ends with its input, and writes nothing but messages", async () => {
  const { exitCode, stdout, stderr } = await runCli(["serve"], { stdin: HANDSHAKE });
  const [hello, answer] = stdout.trim().split("\n").map((line) => JSON.parse(line));
  assertEquals([exitCode, stderr], [0, ""]);
  assertEquals(hello.result.serverInfo.name, "codex-mcp");
  assertEquals(hello.result.capabilities.experimental, { "codex/sandbox-state": {} });
  assertEquals(answer === undefined || answer.result.isError, true);
});

test("the operator's opt-out is told once, on standard error", async () => {
  const { exitCode, stderr } = await runCli(["serve", "--allow-unsandboxed"], { stdin: HANDSHAKE });
  assertEquals(exitCode, 0);
  assertEquals(stderr.match(/WITHOUT a sandbox/g)?.length, 1);
});

test("a hook is not passed on, whoever asks", async () => {
  const { exitCode, stderr } = await runCli(["serve", "--pass-env", "LD_PRELOAD"]);
  assertEquals(exitCode, 2);
  assertStringIncludes(stderr, "LD_PRELOAD");
});
