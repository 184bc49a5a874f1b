/**
 * The servers of the tests as programs of each runtime, and the bytes that go in and come out: what the cases about
 * exactness are made of.
 *
 * @module
 */

import { Buffer } from "node:buffer";
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { findNode } from "../../../scripts/suites/node_binaries.ts";
import toolchain from "../../../scripts/toolchain.json" with { type: "json" };
import { exampleCommand, path, serveCommand } from "../../fixtures/codex_host/servers.ts";

/** Limit of one case. */
export const LIMIT: { readonly timeout: number } = { timeout: 120_000 };

/** The servers. */
export const SERVERS = ["serve", "sdk_v1", "sdk_v2", "no_sdk"] as const;
/** One of them. */
export type ServerName = typeof SERVERS[number];

/** The runtimes: Deno, and each Node of the toolchain. */
export const RUNTIMES: readonly string[] = ["Deno", ...toolchain.node.map((major) => `Node ${major}`)];

let bundles: Promise<string> | undefined;

/** The command that starts `server` on `runtime`. */
export async function serverCommand(server: ServerName, runtime: string): Promise<readonly string[]> {
  if (runtime === "Deno") return server === "serve" ? serveCommand() : exampleCommand(server);
  const { program } = await findNode(runtime.replace("Node ", ""));
  return [program, join(await (bundles ??= bundleForNode()), `${server}.js`)];
}

/** Bundles the servers with the package for Node in the place of the one for Deno; gives their folder. */
async function bundleForNode(): Promise<string> {
  const folder = await Deno.makeTempDir({ prefix: "codex-mcp-exact-" });
  globalThis.addEventListener("unload", () => Deno.removeSync(folder, { recursive: true }));
  const node = JSON.stringify(path("adapters/node/mod.ts"));
  const serve = JSON.stringify(path("adapters/cli/serve/serve_stdio.ts"));
  for (const server of SERVERS) {
    const text = server === "serve"
      ? `import { createSandboxRunner } from ${node}; import { serve } from ${serve};
         await serve({ runner: createSandboxRunner() });`
      : (await Deno.readTextFile(path(`examples/servers/${server}.ts`)))
        .replace('"@codex-mcp/runtime/deno"', node);
    await Deno.writeTextFile(join(folder, `${server}.ts`), text);
  }
  await Deno.writeTextFile(join(folder, "package.json"), '{"type":"module"}');
  const flags = ["bundle", "--quiet", "--platform=deno", "--config", path("deno.json"), "--outdir", folder];
  const { success, stderr } = await new Deno.Command(Deno.execPath(), {
    args: [...flags, ...SERVERS.map((server) => join(folder, `${server}.ts`))],
    cwd: path("."),
  }).output();
  if (!success) throw new Error(`Cannot bundle the servers: ${new TextDecoder().decode(stderr)}`);
  return folder;
}

/** A message of a server. */
export interface Reply {
  readonly id?: string | number;
  readonly result?: {
    readonly isError?: boolean;
    readonly content: readonly { readonly text: string }[];
  };
  readonly error?: { readonly code: number; readonly message: string };
}

/** Sends `input` to a server, waits for the answers to `ids`, ends its input and waits for its end. */
export async function converse(
  [program = "", ...args]: readonly string[],
  { input, ids }: { readonly input: Uint8Array; readonly ids: readonly (string | number)[] },
): Promise<ReadonlyMap<unknown, Reply>> {
  const child = new Deno.Command(program, { args, stdin: "piped", stdout: "piped", stderr: "null" }).spawn();
  const writer = child.stdin.getWriter();
  const sent = writer.write(input);
  const replies = new Map<unknown, Reply>();
  let text = "";
  for await (const chunk of child.stdout.pipeThrough(new TextDecoderStream())) {
    const lines = (text + chunk).split("\n");
    text = lines.pop() ?? "";
    for (const line of lines) {
      const reply: Reply = JSON.parse(line);
      replies.set(reply.id, reply);
    }
    if (ids.every((id) => replies.has(id))) await sent.then(() => writer.close()).catch(ignoreClosed);
  }
  await child.status;
  return replies;
}

/** Once closed, closing again fails. */
function ignoreClosed(error: unknown): void {
  if (!(error instanceof TypeError)) throw error;
}

/** The first messages of the handshake of 2025. */
export const HANDSHAKE: string =
  '{"jsonrpc":"2.0","id":"init","method":"initialize","params":{"protocolVersion":' +
  '"2025-06-18","capabilities":{},"clientInfo":{"name":"exact","version":"1"}}}\n' +
  '{"jsonrpc":"2.0","method":"notifications/initialized"}\n';

/** What each request of MCP 2026-07-28 carries in its `_meta`; with a comma at its end. */
export const ENVELOPE: string = '"io.modelcontextprotocol/protocolVersion":"2026-07-28",' +
  '"io.modelcontextprotocol/clientInfo":{"name":"exact","version":"1"},' +
  '"io.modelcontextprotocol/clientCapabilities":{},';

/** What a stand-in recorded: the arguments of each start as bytes, one character a byte. */
export async function recordedArguments(folder: string): Promise<readonly (readonly string[])[]> {
  const names = (await readdir(folder)).filter((name) => name.startsWith("args."));
  const files = await Promise.all(names.map((name) => readFile(join(folder, name))));
  return files.map((bytes) => bytes.toString("latin1").split("\0").slice(0, -1));
}

/** The UTF-8 bytes of `text`, one character a byte. */
export function bytesOf(text: string): string {
  return Buffer.from(text, "utf8").toString("latin1");
}
