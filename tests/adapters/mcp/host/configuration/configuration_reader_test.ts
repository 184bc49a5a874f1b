import { assert, assertEquals, assertMatch, assertRejects } from "@std/assert";
import { test } from "node:test";
import type { LoadOutcome } from "../../../../../adapters/configuration/source.ts";
import { EventHub } from "../../../../../adapters/mcp/host/events/host_events.ts";
import { ConfigurationReader } from "../../../../../adapters/mcp/host/configuration/configuration_reader.ts";
import { SecretSource } from "../../../../../adapters/mcp/host/configuration/secret_source.ts";
import { ServerSet } from "../../../../../adapters/mcp/host/servers/server_set.ts";
import { faultOf } from "../../../../../core/configuration/layers/fault.ts";
import { deferred } from "../deferred.ts";
import { emptyDesk } from "../thread_rig.ts";

const { signal } = new AbortController();
const layer = { kind: "user", source: "/home/u/config.toml" } as const;
const fault = {
  ...faultOf("FIELD_TYPE", { path: ["features"], layer, state: "a table is needed" }),
  line: 3,
};
const rejected: LoadOutcome = { kind: "rejected", fault, faults: [fault] };
const unavailable: LoadOutcome = {
  kind: "unavailable",
  source: "x",
  reason: "EACCES",
  message: 'Cannot read the configuration "x": it is not readable.',
};

function loaded(...names: readonly string[]): LoadOutcome {
  const servers = Object.fromEntries(names.map((name) => [name, { command: "sh" }]));
  const values = { mcp_servers: servers };
  return {
    kind: "loaded",
    layers: [{ kind: "user", source: "config.toml", values, codexFile: true }],
    texts: new Map(),
    remarks: ["a remark"],
    workspace: null,
  };
}

function reloaderOver(
  outcomes: readonly (LoadOutcome | Promise<LoadOutcome>)[],
  changes: { readonly readMs?: number } = {},
): {
  readonly configurationReader: ConfigurationReader;
  readonly servers: ServerSet;
  readonly log: unknown[];
} {
  const log: unknown[] = [];
  const hub = new EventHub();
  hub.subscribe(({ kind }) => log.push(kind));
  const servers = new ServerSet(() => null);
  const rest = [...outcomes];
  const configurationReader = new ConfigurationReader({
    ...changes,
    hub,
    servers,
    secrets: new SecretSource({ environment: {}, keyring: () => Promise.resolve(null) }),
    enterprise: emptyDesk({
      load: () => Promise.resolve(void log.push("load")),
      reject: ({ field }) => void log.push(`reject ${field}`),
      unavailable: () => void log.push("unavailable"),
    }),
    host: { environment: {}, configuration: { load: async () => await rest.shift()! } },
  });
  return { configurationReader, servers, log };
}

test("what is taken is told to all, the first time without an event", async () => {
  const { configurationReader, servers, log } = reloaderOver([loaded("a"), loaded("b")]);
  await configurationReader.first(signal);
  assertEquals([servers.slots.map(({ entry }) => entry.name), configurationReader.warnings, log], [["a"], [
    "a remark",
  ], [
    "load",
  ]]);
  assertEquals(await configurationReader.again(signal), {
    accepted: true,
    added: ["b"],
    changed: [],
    removed: ["a"],
  });
  assertEquals(log, ["load", "load", "configuration-changed"]);
});

test("what is not taken leaves the servers, and tells enterprise servers which of the two it is", async () => {
  const { configurationReader, servers, log } = reloaderOver([
    loaded("a"),
    rejected,
    unavailable,
    loaded("a"),
  ]);
  await configurationReader.first(signal);
  const first = await configurationReader.again(signal);
  const second = await configurationReader.again(signal);
  assertEquals([first, second], [
    {
      accepted: false,
      code: "CONFIGURATION_INVALID",
      message: "/home/u/config.toml:3: Cannot use features: a table is needed",
    },
    {
      accepted: false,
      code: "CONFIGURATION_UNAVAILABLE",
      message: 'Cannot read the configuration "x": it is not readable.',
    },
  ]);
  assertEquals(servers.slots.map(({ entry }) => entry.name), ["a"]);
  assert((await configurationReader.again(signal)).accepted);
  assertEquals(log, [
    "load",
    "reject features",
    "configuration-rejected",
    "unavailable",
    "configuration-rejected",
    "load",
    "configuration-changed",
  ]);
});

test("a host does not begin with what it cannot take", async () => {
  for (
    const [outcome, message] of [[rejected, "config.toml:3: Cannot use features"], [
      unavailable,
      "Cannot read",
    ]] as const
  ) {
    await assertRejects(() => reloaderOver([outcome]).configurationReader.first(signal), Error, message);
  }
});

test("a warning says where it stands", async () => {
  const text = '[mcp_servers.a]\ncommand = "sh"\nunheard_of = 1\n';
  const values = { mcp_servers: { a: { command: "sh", unheard_of: 1 } } };
  const { configurationReader } = reloaderOver([{
    kind: "loaded",
    layers: [{ ...layer, values, codexFile: true }],
    texts: new Map([[layer.source, { text, format: "toml" }]]),
    remarks: [],
    workspace: null,
  }]);
  await configurationReader.first(signal);
  assertMatch(configurationReader.warnings.join("\n"), /^\/home\/u\/config\.toml:3: .*unheard_of/);
});

test("readings come one after the other, and one that is given up changes nothing", async () => {
  const slow = deferred<LoadOutcome>();
  const { configurationReader, servers, log } = reloaderOver([loaded("a"), slow.promise, loaded("c")]);
  await configurationReader.first(signal);
  const giving = new AbortController();
  const first = configurationReader.again(giving.signal);
  const second = configurationReader.again(signal);
  await new Promise((resolve) => setTimeout(resolve, 5)); // the first one is reading
  giving.abort(new Error("given up"));
  slow.resolve(loaded("b"));
  await assertRejects(() => first, Error, "given up");
  assert((await second).accepted);
  assertEquals([servers.slots.map(({ entry }) => entry.name), log], [["c"], [
    "load",
    "load",
    "configuration-changed",
  ]]);
});

test("one that waits for another can be given up, and a source that never answers holds up nobody for ever", async () => {
  const never = new Promise<LoadOutcome>(() => {});
  const { configurationReader, log } = reloaderOver([loaded("a"), never, loaded("b")], { readMs: 200 });
  await configurationReader.first(signal);
  const hanging = configurationReader.again(signal);
  const giving = new AbortController();
  const waiting = configurationReader.again(giving.signal);
  giving.abort(new Error("given up"));
  await assertRejects(() => waiting, Error, "given up");
  const outcome = await hanging;
  assertEquals(outcome.accepted ? "" : outcome.code, "CONFIGURATION_UNAVAILABLE");
  assertEquals(await configurationReader.again(signal), {
    accepted: true,
    added: ["b"],
    changed: [],
    removed: ["a"],
  });
  assertEquals(log.slice(1), ["unavailable", "configuration-rejected", "load", "configuration-changed"]);
});
