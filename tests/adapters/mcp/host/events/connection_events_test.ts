import { assertEquals } from "@std/assert";
import { test } from "node:test";
import type { ConnectionState } from "../../../../../adapters/mcp/host/connect/server_connection.ts";
import { EventHub } from "../../../../../adapters/mcp/host/events/host_events.ts";
import { tellChanges } from "../../../../../adapters/mcp/host/events/connection_events.ts";
import { stdioEntry } from "../thread_rig.ts";

const reason = { code: "SERVER_UNAVAILABLE", reason: "ended", message: "it ended" } as const;
const ready: ConnectionState = {
  kind: "ready",
  since: 0,
  protocol: "2026-07-28",
  era: "modern",
  acceptsSandbox: false,
};
const connecting: ConnectionState = { kind: "connecting", since: 0 };

test("coming, going and failing are told; what nobody waits for is not", () => {
  const hub = new EventHub();
  const heard: unknown[] = [];
  hub.subscribe((event) => heard.push(event));
  let change: (state: ConnectionState) => void = () => {};
  let catalog: () => void = () => {};
  tellChanges({
    entry: stdioEntry("s"),
    state: () => ({ kind: "idle" }),
    onChange: (listener) => {
      change = listener;
      return () => {};
    },
    onCatalogChanged: (listener) => {
      catalog = listener;
      return () => {};
    },
  }, hub);
  const lost = {
    kind: "disconnected",
    server: "s",
    thread: null,
    reason: { code: reason.code, message: "it ended" },
  };
  for (
    const state of [
      connecting,
      ready,
      { kind: "idle" },
      connecting,
      { kind: "waiting", until: 1, reason },
      connecting,
    ] as const
  ) {
    change(state);
  }
  change({ kind: "failed", reason });
  catalog();
  change({ kind: "closed" });
  assertEquals(heard, [
    { kind: "connected", server: "s", thread: null, protocol: "2026-07-28" },
    { kind: "disconnected", server: "s", thread: null, reason: null },
    lost,
    lost,
    { kind: "catalog-changed", server: "s", thread: null },
  ]);
});
