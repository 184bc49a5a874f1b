/**
 * A host over MCP servers that nobody here wrote: those that the MCP project itself publishes, from npm, on Node 22.
 * Its configuration is the `mcpServers` JSON that their documentation shows.
 *
 * @module
 */

import { join } from "node:path";
import { createMemoryCatalogStore } from "../../../adapters/catalog/memory_store.ts";
import { fileConfiguration } from "../../../adapters/configuration/file_configuration.ts";
import { createHost } from "../../../adapters/deno/host.ts";
import type { HostEvent } from "../../../adapters/mcp/host/events/host_events.ts";
import type { Host } from "../../../adapters/mcp/host/host.ts";
import type { HostOptions } from "../../../adapters/mcp/host/host_options.ts";
import { findNode } from "../../../scripts/suites/node_binaries.ts";
import { removeFolder } from "../../fixtures/remove_folder.ts";
import { marked, untilNone } from "../session/processes.ts";
import { npmPackage } from "../../../scripts/npm_package.ts";

/** The version of all three, which is a date. */
const VERSION = "2026.8.31";

/** A host over those servers. */
export interface PublicServers extends AsyncDisposable {
  /** The host. */
  readonly host: Host;
  /** What it told. */
  readonly events: readonly HostEvent[];
  /** A folder of its own, which is in the command line of each of its servers: real path. */
  readonly folder: string;
  /** The folder that the filesystem server may use. */
  readonly files: string;
  /** The configuration. */
  readonly file: string;
  /** HTTP requests of the host in their order. */
  readonly requests: readonly { readonly method: string; readonly body: string }[];
  /** Ends the server over HTTP, and starts it again where it was. */
  restartSite(): Promise<void>;
  /** Closes the host, and checks that no server of it is left. */
  end(): Promise<void>;
}

/** Starts it: no server runs before it is used, but the one over HTTP when `site` is set. */
export async function startPublicServers(
  { site = false, ...options }: Partial<HostOptions> & { readonly site?: boolean } = {},
): Promise<PublicServers> {
  const folder = await Deno.realPath(await Deno.makeTempDir({ prefix: "public-servers-" }));
  const files = join(folder, "files");
  await Deno.mkdir(files);
  const port = freePort();
  let http = site ? await startSite(port) : null;
  const file = join(folder, "servers.json");
  const servers = {
    ...await stdioServers(folder),
    ...(site ? { site: { url: `http://127.0.0.1:${port}/mcp` } } : {}),
  };
  await Deno.writeTextFile(file, JSON.stringify({ mcpServers: servers }), { mode: 0o600 });
  const requests: { method: string; body: string }[] = [];
  const host = await createHost({
    configuration: fileConfiguration(file, { directory: "/", home: join(folder, ".codex") }),
    catalog: createMemoryCatalogStore(),
    fetch: (input, init) => {
      requests.push({ method: init?.method ?? "GET", body: String(init?.body ?? "") });
      return fetch(input, init);
    },
    ...options,
  });
  const events: HostEvent[] = [];
  host.events.subscribe((event) => events.push(event));
  const end = async (): Promise<void> => {
    await host.close();
    await untilNone(folder);
  };
  return {
    host,
    events,
    folder,
    files,
    file,
    requests,
    restartSite: async () => {
      await http?.stop();
      http = await startSite(port);
    },
    end,
    [Symbol.asyncDispose]: async () => {
      await host.close();
      for (const pid of marked(folder)) Deno.kill(pid, "SIGKILL");
      await http?.stop();
      await removeFolder(folder);
    },
  };
}

/** The servers over stdio, as a configuration. Each has the folder as an argument, whether it looks at it or not. */
async function stdioServers(folder: string): Promise<Readonly<Record<string, object>>> {
  const { program } = await findNode("22");
  return {
    everything: { command: program, args: [await mainOf("everything"), "stdio", folder] },
    filesystem: { command: program, args: [await mainOf("filesystem"), join(folder, "files")] },
    memory: {
      command: program,
      args: [await mainOf("memory"), folder],
      env: { MEMORY_FILE_PATH: join(folder, "memory.jsonl") },
    },
  };
}

/** Path of the program of a server. */
async function mainOf(name: string): Promise<string> {
  const folder = await npmPackage(`@modelcontextprotocol/server-${name}@${VERSION}`);
  return join(folder, "dist", "index.js");
}

/** The server `everything` over streamable HTTP, in a process of its own. */
async function startSite(port: number): Promise<{ stop(): Promise<void> }> {
  const { program } = await findNode("22");
  const child = new Deno.Command(program, {
    args: [await mainOf("everything"), "streamableHttp"],
    env: { PORT: String(port) },
    stdin: "null",
    stdout: "null",
    stderr: "piped",
  }).spawn();
  const reader = child.stderr.pipeThrough(new TextDecoderStream()).getReader();
  for (let said = ""; !said.includes("listening on port");) {
    const { value, done } = await reader.read();
    if (done) throw new Error(`Cannot start the server: ${said}`);
    said += value;
  }
  return {
    stop: async () => {
      child.kill("SIGKILL");
      await reader.cancel();
      await child.status;
    },
  };
}

/** The server has to be told a port. */
function freePort(): number {
  const listener = Deno.listen({ hostname: "127.0.0.1", port: 0 });
  const { port } = listener.addr;
  listener.close();
  return port;
}
