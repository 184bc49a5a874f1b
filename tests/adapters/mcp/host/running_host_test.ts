import { assert, assertEquals, assertRejects, assertThrows } from "@std/assert";
import { test } from "node:test";
import { createProcesses } from "../../../../adapters/node/process.ts";
import { createClock } from "../../../../adapters/http/transport/clock.ts";
import { EnterpriseEvents } from "../../../../adapters/mcp/host/events/enterprise_events.ts";
import { EventHub } from "../../../../adapters/mcp/host/events/host_events.ts";
import type { HostThread } from "../../../../adapters/mcp/host/thread/host_thread.ts";
import { ConfigurationReader } from "../../../../adapters/mcp/host/configuration/configuration_reader.ts";
import { RunningHost } from "../../../../adapters/mcp/host/running_host.ts";
import { SecretSource } from "../../../../adapters/mcp/host/configuration/secret_source.ts";
import { ServerSet } from "../../../../adapters/mcp/host/servers/server_set.ts";
import { captureTurn } from "../../../../adapters/mcp/host/sandbox/turn_sandbox.ts";
import { ProcessGuard } from "../../../../adapters/sandbox/guard.ts";
import { EnterpriseError } from "../../../../core/enterprise/error.ts";
import { HostError } from "../../../../core/errors.ts";
import { type InProcess, serveInProcess } from "./in_process.ts";
import { emptyDesk, stdioEntry } from "./thread_rig.ts";

function hostOver(servers: Readonly<Record<string, InProcess>>, turn: object | null = null): {
  readonly host: RunningHost;
  readonly closed: string[];
  readonly hub: EventHub;
} {
  const closed: string[] = [];
  const hub = new EventHub();
  const set = new ServerSet((entry) => servers[entry.name]!.connect(entry as never));
  set.apply({ servers: Object.keys(servers).map((name) => stdioEntry(name)), disabled: [] });
  const enterprise = emptyDesk({
    close: () => Promise.resolve(void closed.push("enterprise")),
    look: () => new Promise(() => {}), // a keyring that waits for a person
  });
  const host = new RunningHost({
    hub,
    servers: set,
    enterprise,
    enterpriseEvents: new EnterpriseEvents(hub),
    configurationReader: new ConfigurationReader({
      hub,
      servers: set,
      enterprise,
      secrets: new SecretSource({ environment: {}, keyring: () => Promise.resolve(null) }),
      host: { environment: {}, configuration: { load: () => new Promise(() => {}) } },
    }),
    guard: new ProcessGuard(createProcesses()),
    closing: new AbortController(),
    settled: () => Promise.resolve(void closed.push("catalog")),
    turn: turn === null ? null : captureTurn(turn),
    threadHost: {
      launchers: {
        bind: () =>
          Promise.resolve({
            environment: "local",
            state: { sent: false, reason: "no-turn" },
            launcher: { sent: false, reason: "no-state", message: "" },
          }),
      } as never,
      clock: createClock(),
      platform: "linux",
      tools: () => Promise.resolve({ tools: [], source: "server", fetchedAt: 0 }),
      definitions: { known: () => Promise.resolve([]), changed: () => Promise.resolve() },
    },
  });
  return { host, closed, hub };
}

const plain = (): InProcess => serveInProcess((one) => one.registerTool("t", {}, () => ({ content: [] })));

test("servers are connected to at once, and one that hangs or fails delays nobody", async () => {
  const [fine, hanging, failing] = [plain(), plain(), plain()];
  hanging.holding = new Promise(() => {});
  failing.holding = Promise.reject(new Error("down"));
  failing.holding.catch(() => {});
  const { host } = hostOver({ fine, hanging, failing });
  const giving = new AbortController();
  const connecting = host.connect(undefined, { signal: giving.signal });
  while (fine.opened() === 0) await new Promise((resolve) => setTimeout(resolve, 5));
  giving.abort();
  assertEquals((await connecting).map(({ name, state }) => [name, state])[0], ["fine", "ready"]);
  assertEquals((await host.connect(["fine"])).map(({ name }) => name), ["fine"]);
  const unknown = await assertRejects(() => host.connect(["nowhere"]), HostError);
  assertEquals(unknown.code, "SERVER_UNKNOWN");
  await host.close();
});

test("threads have ids of their own; one that is open is not opened twice; a turn is the host's unless it says so", async () => {
  const { host } = hostOver({ s: plain() }, { state: { a: 1 } });
  const one = host.openThread();
  const two = host.openThread({ id: "mine", sandbox: null });
  assert(one.id !== two.id && two.id === "mine");
  assertThrows(() => host.openThread({ id: "mine" }), TypeError, "one of that id is open");
  const authority = [one, two, host.openThread({ sandbox: { state: 2 } })].map((thread) =>
    thread.callTool("s", "t").authority.issued.turn?.stateText ?? null
  );
  assertEquals(authority, ['{"a":1}', null, "2"]);
  await two.close();
  assertEquals(host.openThread({ id: "mine" }).id, "mine");
  await host.close();
});

test("closing ends everything once, and afterwards nothing begins", async () => {
  const { host, closed } = hostOver({ s: plain() });
  const thread = host.openThread();
  const reloading = host.reload(); // its source never answers
  reloading.catch(() => {});
  await Promise.all([host.close(), host.close()]);
  assertEquals(closed, ["enterprise", "catalog"]);
  assertEquals(host.servers()[0]?.state, "closed");
  const code = async (work: () => unknown): Promise<string> => {
    try {
      await work();
      return "went on";
    } catch (error) {
      return (error as HostError).code;
    }
  };
  assertEquals(
    await Promise.all([
      code(() => host.openThread()),
      code(() => host.connect()),
      code(() => host.reload()),
      code(() => host.look()),
      code(() => thread.callTool("s", "t")),
      code(() => host.signOut({ account: null })),
    ]),
    Array(6).fill("HOST_CLOSED"),
  );
  assertEquals(await code(() => reloading), "HOST_CLOSED");
});

test("looking at the sign-ins can be given up, and ends with the host", async () => {
  const { host } = hostOver({});
  const giving = new AbortController();
  const looking = host.look({ signal: giving.signal });
  giving.abort(new Error("given up"));
  await assertRejects(() => looking, Error, "given up");
  const left = host.look();
  left.catch(() => {});
  await host.close();
  assertEquals((await assertRejects(() => left, HostError)).code, "HOST_CLOSED");
});

test("a sign-in needs a provider that the configuration names", async () => {
  const { host } = hostOver({});
  const error = await assertRejects(
    () => host.signIn({ account: null, work: () => Promise.reject(new Error("not asked")) }),
    EnterpriseError,
  );
  assertEquals([error.code, error.reason], ["CONFIGURATION_REFUSED", "PROVIDER_UNKNOWN"]);
  await host.close();
});

test("a thread hears that an enterprise server has changed its tools for it", async () => {
  const { host, hub } = hostOver({});
  const told: string[] = [];
  for (const id of ["one", "two"]) {
    const thread = host.openThread({ id }) as HostThread;
    thread.toolsChanged = (server) => void told.push(`${id} ${server}`);
  }
  for (const thread of ["two", "nobody", null]) hub.emit({ kind: "catalog-changed", server: "e", thread });
  assertEquals(told, ["two e"]);
  await host.close();
});
