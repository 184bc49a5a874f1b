import { assert, assertEquals, assertThrows } from "@std/assert";
import { test } from "node:test";
import { ServerSet } from "../../../../../adapters/mcp/host/servers/server_set.ts";
import { faultOf } from "../../../../../core/configuration/layers/fault.ts";
import { HostError } from "../../../../../core/errors.ts";
import { deferred } from "../deferred.ts";
import { stdioEntry } from "../thread_rig.ts";

function setOf(): { readonly set: ServerSet; readonly log: string[] } {
  const log: string[] = [];
  const set = new ServerSet((entry) => {
    log.push(`connect ${entry.name}`);
    return { entry, close: () => Promise.resolve(void log.push(`close ${entry.name}`)) } as never;
  });
  return { set, log };
}

const settled = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 5));

test("the same keeps its connection, other times and tools too; another command, and a switch, do not", async () => {
  const { set, log } = setOf();
  const names = ["same", "times", "command", "off", "gone"];
  assertEquals(set.apply({ servers: names.map((name) => stdioEntry(name)), disabled: [] }), {
    added: names,
    changed: [],
    removed: [],
  });
  const before = names.map((name) => set.find(name));
  log.length = 0;
  const changes = set.apply({
    servers: [
      stdioEntry("same"),
      stdioEntry("times", { toolTimeoutMs: 5, disabledTools: ["x"] }),
      stdioEntry("command", { command: "other" }),
      stdioEntry("off", { enabled: false }),
      stdioEntry("__proto__"),
    ],
    disabled: [],
  });
  await settled();
  assertEquals(changes, { added: ["__proto__"], changed: ["times", "command", "off"], removed: ["gone"] });
  assertEquals(log.toSorted(), [
    "close command",
    "close gone",
    "close off",
    "connect __proto__",
    "connect command",
  ]);
  assertEquals([set.find("same"), set.find("times")], [before[0], before[1]]);
  assertEquals(set.find("times")?.entry.toolTimeoutMs, 5);
  assertEquals(before.map((slot) => set.isCurrent(slot!)), [true, true, false, false, false]);
});

test("one that is used goes on until it is not, and closing the set waits for nobody", async () => {
  const { set, log } = setOf();
  set.apply({ servers: [stdioEntry("a"), stdioEntry("b")], disabled: [] });
  const work = deferred<void>();
  const use = set.require("a").use(() => work.promise);
  set.apply({ servers: [stdioEntry("b")], disabled: [] });
  await settled();
  assert(!log.includes("close a"));
  const closing = set.close();
  await settled();
  assert(log.includes("close a") && log.includes("close b"));
  work.resolve();
  await use;
  await closing;
});

test("which servers may be used, and why others may not", () => {
  const { set } = setOf();
  const layer = { kind: "user", source: "/config.toml" } as const;
  const path = ["mcp_servers", "bad", "command"];
  const fault = { ...faultOf("FIELD_TYPE", { path, layer, state: "a text is needed" }), line: 4 };
  set.apply({
    servers: [stdioEntry("ok"), stdioEntry("off", { enabled: false })],
    disabled: [{ name: "bad", faults: [fault] }],
  });
  assertEquals(set.require("ok").entry.name, "ok");
  const code = (name: string): string => assertThrows(() => set.require(name), HostError).code;
  assertEquals(["off", "bad", "nowhere", "constructor"].map(code), [
    "SERVER_DISABLED",
    "SERVER_DISABLED",
    "SERVER_UNKNOWN",
    "SERVER_UNKNOWN",
  ]);
  assertEquals(
    assertThrows(() => set.require("bad"), HostError).message,
    'Cannot use the server "bad": /config.toml:4: Cannot use mcp_servers.bad.command: a text is needed',
  );
  assertEquals(set.disabled.map(({ name }) => name), ["bad"]);
});
