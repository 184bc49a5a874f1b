import { test } from "node:test";
import { assertEquals } from "@std/assert";
import type { ServerBlock } from "../../../../core/enterprise/authorization/state.ts";
import { factsOf, serverStatus, type StatusFacts } from "../../../../core/enterprise/status/status.ts";
import { after, scene } from "../authorization/scene.ts";

const NOW = 1000;
const FACTS: StatusFacts = {
  configuration: { kind: "valid" },
  fault: null,
  keyring: "open",
  marker: "readable",
  signIn: { hasRefreshToken: true, idTokenExpiresAt: NOW + 600 },
  gone: "not-signed-in",
  block: null,
  revoked: null,
  unavailable: false,
  extension: null,
  now: NOW,
};

function kind(facts: Partial<StatusFacts>): string {
  return serverStatus({ ...FACTS, ...facts }).kind;
}

test("serverStatus: ready, and until when", () => {
  assertEquals(serverStatus(FACTS), { kind: "ready", until: null, extension: "unknown" });
  const only = {
    signIn: { hasRefreshToken: false, idTokenExpiresAt: NOW + 600 },
    extension: "advertised",
  } as const;
  assertEquals(serverStatus({ ...FACTS, ...only }), {
    kind: "ready",
    until: NOW + 600,
    extension: "advertised",
  });
});

test("serverStatus: an expired identity asks for a sign-in; one that can be renewed does not", () => {
  for (const idTokenExpiresAt of [NOW, NOW - 1, null]) {
    assertEquals(kind({ signIn: { hasRefreshToken: true, idTokenExpiresAt } }), "ready");
    assertEquals(serverStatus({ ...FACTS, signIn: { hasRefreshToken: false, idTokenExpiresAt } }), {
      kind: "signed-out",
      because: "expired",
    });
  }
});

test("serverStatus: the first fact that applies decides", () => {
  const layer = { kind: "user", source: "x" } as const;
  const fault = { code: "FEATURE_OFF", field: "features.use_xaa", layer: null } as const;
  const order: readonly (readonly [Partial<StatusFacts>, string])[] = [
    [{ configuration: { kind: "rejected", field: "f", layer } }, "configuration-rejected"],
    [{ configuration: { kind: "unavailable" } }, "configuration-unavailable"],
    [{ fault }, "disabled"],
    [{ keyring: "absent" }, "keyring-absent"],
    [{ keyring: "locked" }, "keyring-locked"],
    [{ marker: "unreadable" }, "marker-unreadable"],
    [{ signIn: null, gone: "deleted" }, "signed-out"],
    [{ block: { kind: "assertion" } }, "assertion-refused"],
    [{ revoked: "replaced" }, "reconnect"],
    [{ extension: "required" }, "extension-required"],
    [{ unavailable: true }, "unavailable"],
  ];
  order.forEach(([facts, expected], index) => {
    assertEquals(kind(facts), expected);
    const later = Object.assign({}, ...order.slice(index).map(([one]) => one).reverse());
    assertEquals(kind(later), expected);
  });
});

test("serverStatus: every block, with its leg", () => {
  const leg = "redemption";
  const blocks: readonly (readonly [ServerBlock, object])[] = [
    [{ kind: "grant-in-doubt" }, { kind: "unavailable" }],
    [{ kind: "identity-refused" }, { kind: "identity-refused" }],
    [{ kind: "identity-expired" }, { kind: "signed-out", because: "expired" }],
    [{ kind: "administrator", leg }, { kind: "administrator-denied", leg }],
    [{ kind: "assertion" }, { kind: "assertion-refused" }],
    [{ kind: "client", leg }, { kind: "client-refused", leg }],
    [{ kind: "scope", leg }, { kind: "scope-refused", leg }],
    [{ kind: "stronger-sign-in" }, { kind: "stronger-sign-in" }],
    [{ kind: "binding", leg }, { kind: "binding-unsupported", leg }],
    [{ kind: "misconfigured", leg }, { kind: "misconfigured", leg }],
    [{ kind: "moved", what: "endpoint" }, { kind: "moved", what: "endpoint" }],
    [{ kind: "bearer-refused" }, { kind: "reconnect", because: "bearer-refused" }],
  ];
  for (const [block, status] of blocks) assertEquals(serverStatus({ ...FACTS, block }), status as never);
});

test("factsOf: what a running host knows", () => {
  const running = {
    server: "one",
    thread: "t",
    fault: null,
    signIn: FACTS.signIn,
    extension: null,
    now: NOW,
  };
  assertEquals(serverStatus(factsOf(scene(), running)).kind, "ready");
  const out = after(scene(), { kind: "signed-out", generation: "g" }).state;
  assertEquals(serverStatus(factsOf(out, running)), { kind: "signed-out", because: "signed-out" });
  const moved = after(scene(), { kind: "server-moved", server: "one", what: "issuer" }).state;
  assertEquals(serverStatus(factsOf(moved, running)).kind, "moved");
  const changed = after(scene(), {
    kind: "configuration-loaded",
    servers: [{ name: "one", fingerprint: "f9", disabled: null }],
  }).state;
  assertEquals(serverStatus(factsOf(changed, running)), {
    kind: "reconnect",
    because: "registration-changed",
  });
  const { thread: _, ...noThread } = running;
  assertEquals(serverStatus(factsOf(changed, noThread)).kind, "ready");
  const removed = { kind: "reconnect", because: "server-removed" } as const;
  assertEquals(serverStatus(factsOf(changed, { ...running, server: "two" })), removed);
  const nowhere = { kind: "disabled", code: "FIELD_MISSING", field: "mcp_servers.two", layer: null } as const;
  assertEquals(serverStatus(factsOf(changed, { ...noThread, server: "two" })), nowhere, "it was removed");
  assertEquals(serverStatus(factsOf(scene(), { ...running, server: "never" })).kind, "disabled");
});
