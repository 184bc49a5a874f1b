/**
 * What `createHost` of each runtime does: Codex's own configuration is read without being named, servers are started,
 * and a call carries what its turn selects, byte for byte.
 *
 * @module
 */

import { assert, assertEquals } from "@std/assert";
import { chmod, mkdir, mkdtemp, realpath, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import { test } from "node:test";
import type { Host } from "../../adapters/mcp/host/host.ts";
import type { HostOptions } from "../../adapters/mcp/host/host_options.ts";

/** A server without an SDK that opts in, and answers each call with the line that it came in. */
const SERVER = `
const { createInterface } = require("node:readline");
const send = (id, result) => process.stdout.write(JSON.stringify({ jsonrpc: "2.0", id, result }) + "\\n");
createInterface({ input: process.stdin }).on("line", (line) => {
  const { id, method, params } = JSON.parse(line);
  if (method === "initialize") {
    send(id, {
      protocolVersion: params.protocolVersion,
      serverInfo: { name: "raw", version: "1" },
      capabilities: { tools: {}, experimental: { "codex/sandbox-state": {} } },
    });
  } else if (method === "tools/call") send(id, { content: [{ type: "text", text: line }] });
  else if (id !== undefined) {
    process.stdout.write(JSON.stringify({ jsonrpc: "2.0", id, error: { code: -32601, message: "no" } }) + "\\n");
  }
});`;

const STATE = '{"n": 9007199254740993, "z": 1e400, "a": "\\u00e9"}';

/** Runs the contract. */
export function testCreateHost(
  name: string,
  createHost: (options: Partial<HostOptions>) => Promise<Host>,
): void {
  test(`${name}: a host with Codex's own configuration`, { timeout: 120_000 }, async () => {
    const folder = await realpath(await mkdtemp(join(tmpdir(), "host-contract-")));
    const codex = join(folder, "home", ".codex");
    await mkdir(codex, { recursive: true, mode: 0o700 });
    const launcher = join(folder, "codex");
    await writeFile(launcher, "#!/bin/sh\nexit 0\n");
    await chmod(launcher, 0o755);
    const script = join(folder, "server.cjs");
    await writeFile(script, SERVER);
    const flags = "Deno" in globalThis ? ["run", "-A", "--no-config"] : [];
    const text = `[mcp_servers.raw]\ncommand = ${JSON.stringify(process.execPath)}\nargs = ${
      JSON.stringify([...flags, script])
    }\nenv = { DENO_NO_UPDATE_CHECK = "1" }\n`;
    await writeFile(join(codex, "config.toml"), text, { mode: 0o600 });
    const environment = {
      HOME: join(folder, "home"),
      PATH: process.env["PATH"] ?? "",
      XDG_CACHE_HOME: join(folder, "cache"),
    };
    const host = await createHost({ environment, directory: folder });
    try {
      const names = host.servers().map((server) => server.name);
      assert(names.includes("raw"), names.join());
      const thread = host.openThread({ id: "T", sandbox: { stateText: STATE, launcher } });
      const call = thread.callTool("raw", "anything", { x: 1 });
      const [line] = (await call).content as readonly { readonly text: string }[];
      assertEquals(line!.text.split(STATE).length - 1, 2);
      assert(line!.text.includes(`"codex/sandbox-launcher":{"codexExecutable":${JSON.stringify(launcher)}}`));
      assertEquals(call.authority.sent?.noLauncher, null);
      thread.setSandbox({ stateText: STATE, launcher, writableRoots: [folder] });
      const without = thread.callTool("raw", "anything");
      await without;
      assertEquals(without.authority.sent?.noLauncher, "in-writable-root");
    } finally {
      await host.close();
      await rm(folder, { recursive: true });
    }
  });
}
