import { createMcpHandler, McpServer } from "@modelcontextprotocol/server";
import { assert, assertEquals, assertRejects, assertThrows } from "@std/assert";
import { mkdtemp, readdir, readFile, writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import { test } from "node:test";
import { createFileCatalogStore } from "../../../../adapters/catalog/file_store.ts";
import { createClock } from "../../../../adapters/http/transport/clock.ts";
import { createDigest } from "../../../../adapters/http/transport/digest.ts";
import { createEdgeRuntime } from "../../../../adapters/http/transport/sending.ts";
import { MemoryGrantSource } from "../../../../adapters/http/grants/memory_grant_source.ts";
import { createHost } from "../../../../adapters/mcp/host/create_host.ts";
import type { HostEvent } from "../../../../adapters/mcp/host/events/host_events.ts";
import type { Host } from "../../../../adapters/mcp/host/host.ts";
import type { HostOptions } from "../../../../adapters/mcp/host/host_options.ts";
import { fileConfiguration } from "../../../../adapters/configuration/file_configuration.ts";
import { HostError } from "../../../../core/errors.ts";
import { RUNTIMES } from "../../../contracts/runtimes.ts";
import { removeFolder } from "../../../fixtures/remove_folder.ts";
import { ownEntry, type OwnServer, serveWhenAsked } from "./connect/own_server.ts";

const limit = { timeout: 120_000 };

/** A host over a configuration file, with what a test may change. */
async function hostWith(
  servers: Record<string, unknown>,
  changes: Partial<HostOptions> = {},
): Promise<
  { readonly host: Host; readonly file: string; readonly events: HostEvent[]; end(): Promise<void> }
> {
  const folder = await mkdtemp(join(tmpdir(), "host-"));
  const file = join(folder, "servers.json");
  await writeFile(file, JSON.stringify({ mcpServers: servers }), { mode: 0o600 });
  const { processes, files } = RUNTIMES[0]!;
  const host = await createHost({
    processes,
    files,
    clock: createClock(),
    digest: createDigest(),
    runtime: createEdgeRuntime(),
    http: { send: () => Promise.reject(new Error("nobody asks")) },
    secrets: { grants: () => new MemoryGrantSource(), secret: () => Promise.resolve(null) },
    environment: { PATH: "/usr/bin:/bin", HOME: folder },
    platform: "linux",
    directory: folder,
    configuration: fileConfiguration(file, { directory: folder, home: join(folder, ".codex") }),
    ...changes,
  });
  const events: HostEvent[] = [];
  host.events.subscribe((event) => events.push(event));
  return {
    host,
    file,
    events,
    end: async () => {
      await host.close();
      await removeFolder(folder);
    },
  };
}

function own(which: OwnServer): Record<string, unknown> {
  const { command, args, env } = ownEntry(import.meta.url, { which });
  return { command, args, env: { ...env, PATH: process.env["PATH"], HOME: process.env["HOME"] } };
}

/** A site of one server that says which headers it got. */
async function startSite(): Promise<
  { readonly url: string; readonly calls: () => number; close(): Promise<void> }
> {
  let calls = 0;
  const handler = createMcpHandler(() => {
    const server = new McpServer({ name: "site", version: "1" });
    server.registerTool("hello", {}, () => ({ content: [{ type: "text", text: "from the site" }] }));
    return server;
  }, { keepAliveMs: 0 });
  const http = createServer((request, response) => {
    void (async () => {
      calls += 1;
      const chunks: Uint8Array[] = [];
      for await (const chunk of request) chunks.push(chunk);
      const headers = new Headers(
        Object.entries(request.headers).map(([name, value]) => [name, String(value)]),
      );
      const answer = await handler.fetch(
        new Request(`http://127.0.0.1${request.url}`, {
          method: request.method ?? "GET",
          headers,
          ...(chunks.length === 0 ? {} : { body: new TextDecoder().decode(Buffer.concat(chunks)) }),
        }),
      );
      response.writeHead(answer.status, Object.fromEntries(answer.headers));
      for await (const chunk of answer.body ?? []) response.write(chunk);
      response.end();
    })();
  });
  await new Promise<void>((resolve) => http.listen(0, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${(http.address() as AddressInfo).port}/mcp`,
    calls: () => calls,
    close: () =>
      new Promise((resolve) => {
        http.closeAllConnections();
        http.close(() => resolve());
      }),
  };
}

if (!await serveWhenAsked()) {
  test(
    "servers of both lines over stdio and one over HTTP: connect, list, call, and nobody is left",
    limit,
    async () => {
      const site = await startSite();
      const { host, events, end } = await hostWith({
        old: own("v1"),
        new: own("v2"),
        site: { url: site.url },
        broken: { command: "/nowhere/at/all" },
        off: { command: "sh", enabled: false },
        wrong: { command: 7 },
      });
      assertEquals(host.servers().find(({ name }) => name === "old")?.state, "idle");
      const reports = await host.connect();
      const states = Object.fromEntries(reports.map(({ name, state, era }) => [name, [state, era]]));
      assertEquals(states["old"], ["ready", "legacy"]);
      assertEquals(states["new"], ["ready", "modern"]);
      assertEquals(states["site"], ["ready", "modern"]);
      assertEquals([states["off"]?.[0], states["wrong"]?.[0]], ["disabled", "disabled"]);
      const broken = reports.find(({ name }) => name === "broken");
      assert(["failed", "waiting"].includes(broken!.state) && broken!.reason?.code === "SERVER_UNAVAILABLE");
      assertEquals(events.filter(({ kind }) => kind === "connected").length, 3);

      const thread = host.openThread();
      for (const name of ["old", "new"]) {
        const tools = await thread.tools(name);
        assertEquals(tools.map((tool) => tool.name).toSorted(), ["change", "environment"]);
        const result = await thread.callTool(name, "environment");
        assert(JSON.stringify(result.content).includes("OWN_SERVER"));
      }
      assertEquals((await thread.callTool("site", "hello")).content, [{
        type: "text",
        text: "from the site",
      }]);
      const codes = await Promise.all(
        ["nowhere", "off", "wrong", "broken"].map((name) =>
          thread.callTool(name, "t").then(() => "", (error: unknown) => (error as HostError).code)
        ),
      );
      assertEquals(codes, ["SERVER_UNKNOWN", "SERVER_DISABLED", "SERVER_DISABLED", "SERVER_UNAVAILABLE"]);
      await end();
      await site.close();
      assertThrows(() => host.openThread(), HostError, "closed");
      const late = await assertRejects(() => thread.callTool("old", "environment").result, HostError);
      assertEquals(late.code, "HOST_CLOSED");
    },
  );

  test(
    "a reload keeps what is the same, connects anew what changed, and lets calls go on",
    limit,
    async () => {
      const { host, file, events, end } = await hostWith({
        same: own("v2"),
        other: own("v2"),
        gone: own("v2"),
      });
      await host.connect();
      const thread = host.openThread();
      const first = thread.callTool("same", "environment");
      await first;
      const changed = own("v2");
      const write = (servers: unknown): Promise<void> =>
        writeFile(file, JSON.stringify({ mcpServers: servers }));
      await write({
        same: own("v2"),
        other: { ...changed, env: { ...changed["env"] as object, MORE: "1" } },
        fresh: own("v1"),
      });
      const outcome = await host.reload();
      assertEquals(outcome, { accepted: true, added: ["fresh"], changed: ["other"], removed: ["gone"] });
      assertEquals(events.filter(({ kind }) => kind === "configuration-changed").length, 1);
      const again = thread.callTool("same", "environment");
      await again;
      assertEquals(again.authority.sent?.connection, first.authority.sent?.connection);
      const result = await thread.callTool("other", "environment");
      assert(JSON.stringify(result.content).includes("MORE"));
      const error = await assertRejects(() => thread.callTool("gone", "environment").result, HostError);
      assertEquals(error.code, "SERVER_UNKNOWN");
      await end();
    },
  );

  test(
    "a managed configuration outranks the user's; when it breaks, the one before stays and it is said",
    limit,
    async () => {
      const site = await startSite();
      let text = `[mcp_servers.site]\nurl = "${site.url}"\n`;
      let fails = false;
      const load = (): Promise<string> => fails ? Promise.reject(new Error("secret")) : Promise.resolve(text);
      const { host, events, end } = await hostWith({ site: { url: "http://127.0.0.1:1/mcp" } }, {
        managed: { load },
      });
      const thread = host.openThread();
      await thread.callTool("site", "hello");
      text = "[mcp_servers.site\n";
      const rejected = await host.reload();
      assert(!rejected.accepted && rejected.code === "CONFIGURATION_INVALID");
      fails = true;
      const unavailable = await host.reload();
      assert(!unavailable.accepted && unavailable.code === "CONFIGURATION_UNAVAILABLE");
      assert(!JSON.stringify([rejected, unavailable]).includes("secret"));
      assertEquals(events.filter(({ kind }) => kind === "configuration-rejected").length, 2);
      assertEquals((await thread.callTool("site", "hello")).isError, undefined);
      await assertRejects(() => hostWith({}, { managed: { load } }), Error, "Cannot read the configuration");
      await end();
      await site.close();
    },
  );

  test(
    "a second host lists tools without connecting, and neither has what the first one knew of secrets",
    limit,
    async () => {
      const folder = await mkdtemp(join(tmpdir(), "catalog-"));
      const environment = { PATH: "/usr/bin:/bin", HOME: folder };
      const store = (): HostOptions["catalog"] => createFileCatalogStore({ folder });
      const servers = {
        old: { ...own("v1"), env: { ...own("v1")["env"] as object, TOKEN: "s3cr3t-value" } },
      };
      const one = await hostWith(servers, { catalog: store(), directory: "/", environment });
      assertEquals((await one.host.openThread().tools("old")).length, 2);
      await one.end();
      const names = await readdir(folder);
      const texts = await Promise.all(names.map((name) => readFile(join(folder, name), "utf8")));
      assert(!texts.join().includes("s3cr3t"));
      const two = await hostWith(servers, { catalog: store(), directory: "/", environment });
      const tools = await two.host.openThread().tools("old");
      assertEquals([tools.length, two.host.servers()[0]?.state], [2, "idle"]);
      await two.end();
      await removeFolder(folder);
    },
  );

  test("a runtime that sends unsafely gets no credential of an ordinary server", limit, async () => {
    const site = await startSite();
    const { host, end } = await hostWith({ site: { url: site.url, headers: { "x-key": "s3cr3t" } } }, {
      runtime: { ...createEdgeRuntime(), certificateSwitch: () => Promise.resolve("THE_SWITCH") },
    });
    const [report] = await host.connect();
    assertEquals([report?.state, report?.reason?.code], ["failed", "SERVER_DISABLED"]);
    const call = host.openThread().callTool("site", "hello").result;
    const error = await assertRejects(() => call, HostError, "THE_SWITCH switches certificate checks off");
    assertEquals([error.code, site.calls()], ["SERVER_DISABLED", 0]);
    await end();
    await site.close();
  });

  test("a file that changes is read again", limit, async () => {
    const { host, file, events, end } = await hostWith({ a: { command: "sh" } }, { watch: true });
    await writeFile(file, JSON.stringify({ mcpServers: { b: { command: "sh" } } }));
    while (!events.some(({ kind }) => kind === "configuration-changed")) {
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
    assertEquals(host.servers().map(({ name }) => name), ["b"]);
    await end();
  });
}
