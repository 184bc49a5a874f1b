import { assert, assertEquals } from "@std/assert";
import { test } from "node:test";
import {
  type Carrier,
  type CarrierOptions,
  makeCarrier,
} from "../../../../../adapters/mcp/host/connect/carrier.ts";
import { DiagnosticsLog } from "../../../../../adapters/mcp/host/connect/stdio/diagnostics_log.ts";
import type { ServerConnectionOptions } from "../../../../../adapters/mcp/host/connect/server_connection.ts";
import type { HttpEntry, StdioEntry } from "../../../../../core/configuration/entry.ts";
import type { ChildProcess, SpawnOptions, SpawnRequest } from "../../../../../core/ports/process.ts";
import { hostOptions, httpEntry, scriptEntry, stdioEntry } from "./bench.ts";

const limit = { timeout: 60_000 };

function options(more: Partial<ServerConnectionOptions> = {}): CarrierOptions {
  return { ...hostOptions(more), log: new DiagnosticsLog() };
}

async function made(entry: StdioEntry | HttpEntry, more: CarrierOptions = options()): Promise<Carrier> {
  const carrier = await makeCarrier(entry, more);
  assert("transport" in carrier, JSON.stringify(carrier));
  return carrier;
}

test(
  "a stdio server is started by its path, with its arguments, environment and directory",
  limit,
  async () => {
    const started: (readonly [SpawnRequest, SpawnOptions])[] = [];
    const processes = {
      spawn: (request: SpawnRequest, given: SpawnOptions): Promise<ChildProcess> => {
        started.push([request, given]);
        return Promise.reject(new Error("enough"));
      },
    };
    const entry = stdioEntry({ command: "sh", args: ["-c", "a b", ""], cwd: "sub/folder", env: { A: "1" } });
    const carrier = await made(
      entry,
      options({ processes, environment: { PATH: "/usr/bin:/bin", KEY: "secret" } }),
    );
    await carrier.transport.start().catch(() => undefined);
    const [request, given] = started[0]!;
    assert(/^(\/usr)?\/bin\/sh$/.test(request.executable));
    assertEquals(request.args, ["-c", "a b", ""]);
    assertEquals([given.environment, given.directory, given.stdin], [
      { PATH: "/usr/bin:/bin", A: "1" },
      "/tmp/sub/folder",
      "piped",
    ]);
    assertEquals([carrier.kind, carrier.unset, carrier.resumptions()], ["stdio", [], 0]);
  },
);

test("how a stdio server ended by itself", limit, async () => {
  for (
    const [script, state] of [
      ["exit 3", "it ended with status 3"],
      ["kill -9 $$", "it was ended by SIGKILL"],
      ["exec >&-; cat >/dev/null", "it closed its standard input or output"],
    ]
  ) {
    const { transport, ended } = await made(scriptEntry(script!));
    const closed = new Promise<void>((resolve) => transport.onclose = resolve);
    await transport.start();
    await closed;
    assertEquals(ended()?.reason, "ended");
    if (!script!.includes("exec")) assertEquals(ended()?.state, state);
  }
  const { transport, ended } = await made(scriptEntry("cat >/dev/null"));
  await transport.start();
  await transport.close();
  assertEquals(ended(), null);
});

test("diagnostics go to the log", limit, async () => {
  const more = options();
  const { transport } = await made(scriptEntry("echo told >&2"), more);
  const closed = new Promise<void>((resolve) => transport.onclose = resolve);
  await transport.start();
  await closed;
  assertEquals(more.log.text(), "told\n");
});

test("a server that cannot be reached as configured is refused before anything is sent", async () => {
  for (
    const [entry, reason] of [
      [stdioEntry({ command: "no-such-program" }), "program"],
      [httpEntry({ url: "file:///etc/passwd" }), "url"],
      [httpEntry({ url: "https://user@notes.test/" }), "url"],
      [httpEntry({ url: "notes.test" }), "url"],
      [httpEntry({ url: "https://notes.test/", headers: { "x-a": "\n" } }), "header"],
      [httpEntry({ url: "https://notes.test/", bearerTokenEnvVar: "NOT_SET" }), "variable"],
    ] as const
  ) {
    const refused = await makeCarrier(entry, options());
    assert("failure" in refused);
    assertEquals(refused.failure.reason, reason);
  }
});

test("what the command is stays out of the failure: a placeholder may have been filled with a secret", async () => {
  for (const command of ["t0psecret", "t0psecret\0", ""]) {
    const refused = await makeCarrier(stdioEntry({ command }), options());
    assert("failure" in refused);
    assert(!`${refused.error.stack}${JSON.stringify(refused)}`.includes("t0psecret"), refused.error.message);
    assert(refused.error.message.includes("its command is not"), refused.error.message);
  }
});

test("an HTTP server is carried with the variables that are not set by name", async () => {
  const carrier = await made(httpEntry({ url: "https://notes.test/", envHeaders: { "x-a": "NOT_SET" } }));
  assertEquals([carrier.kind, carrier.unset, carrier.resumptions(), carrier.ended()], [
    "http",
    ["NOT_SET"],
    0,
    null,
  ]);
  await carrier.transport.close();
});
