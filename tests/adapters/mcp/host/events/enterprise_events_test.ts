import { assertEquals } from "@std/assert";
import { test } from "node:test";
import { EnterpriseEvents } from "../../../../../adapters/mcp/host/events/enterprise_events.ts";
import { EventHub } from "../../../../../adapters/mcp/host/events/host_events.ts";

const subject = { thread: "T", server: "s", account: { user: "private", workspace: "w" } };

test("what enterprise servers tell becomes an event of the host, without the account", () => {
  const hub = new EventHub();
  const heard: unknown[] = [];
  hub.subscribe((event) => heard.push(event));
  const events = new EnterpriseEvents(hub);
  events.take({ ...subject, kind: "connected", number: 1, protocol: "2026-07-28", extension: "advertised" });
  assertEquals([events.protocolOf("s", "T"), events.protocolOf("s", "U"), events.protocolOf("s")], [
    "2026-07-28",
    null,
    "2026-07-28",
  ]);
  events.take({ ...subject, kind: "refreshed", because: "reconnected", number: 2, protocol: "2026-07-28" });
  events.take({ ...subject, kind: "authorization-revoked", reason: "account-changed" });
  events.take({ ...subject, kind: "sign-in-needed", code: "SIGN_IN_REQUIRED", message: "Sign in" });
  events.take({ ...subject, kind: "catalog-changed" });
  events.take({ ...subject, kind: "disconnected", number: 1 }); // the old one, late
  assertEquals(events.protocolOf("s", "T"), "2026-07-28");
  events.take({ ...subject, kind: "disconnected", number: 2 });
  assertEquals([events.protocolOf("s", "T"), events.protocolOf("s")], [null, null]);
  assertEquals(heard, [
    { kind: "connected", server: "s", thread: "T", protocol: "2026-07-28" },
    { kind: "refreshed", server: "s", thread: "T", because: "reconnected" },
    { kind: "authorization-revoked", server: "s", thread: "T", reason: "account-changed" },
    { kind: "sign-in-needed", server: "s", thread: "T", message: "Sign in" },
    { kind: "catalog-changed", server: "s", thread: "T" },
    { kind: "disconnected", server: "s", thread: "T", reason: null },
    { kind: "disconnected", server: "s", thread: "T", reason: null },
  ]);
});
