import { test } from "node:test";
import { assertEquals } from "@std/assert";
import type { AuthorizationEvent } from "../../../../core/enterprise/authorization/event.ts";
import { type AuthorizationState, serverOf } from "../../../../core/enterprise/authorization/state.ts";
import { tagOf } from "../../../../core/enterprise/authorization/tag.ts";
import {
  type FailureMeaning,
  meaningOf,
  type OAuthErrorCode,
} from "../../../../core/enterprise/exchange/oauth_error.ts";
import type { Leg } from "../../../../core/enterprise/error.ts";
import { after, found, grantOf, leaseReady, scene, SERVERS, use } from "./scene.ts";

function failed(meaning: FailureMeaning, leg: Leg = "redemption") {
  return (state: AuthorizationState): AuthorizationEvent => ({
    kind: "request-failed",
    tag: tagOf(state, "one"),
    server: "one",
    leg,
    meaning,
  });
}

function refusedWith(code: OAuthErrorCode, leg: Leg) {
  return failed(meaningOf({ status: 400, code }, leg), leg);
}

function probed(outcome: "refused" | "standing" | "no-refresh-token" | "unavailable") {
  return (state: AuthorizationState): AuthorizationEvent => ({
    kind: "grant-probed",
    tag: tagOf(state, "one"),
    server: "one",
    outcome,
    generation: "g9",
  });
}

type Change = Parameters<typeof after>[1];

const blockOf = (state: AuthorizationState) => serverOf(state, "one")?.block ?? null;
const LEGS: readonly Leg[] = ["token-exchange", "redemption"];

test("issuer or endpoint moved, authorization server gone: its own leases, that server blocked", () => {
  for (const what of ["issuer", "endpoint", "authorization-server"] as const) {
    const { state, kinds } = after(scene(), { kind: "server-moved", server: "one", what });
    assertEquals(kinds, ["drop-lease", "block-server"]);
    assertEquals([blockOf(state), use(state, "one"), use(state, "two")], [
      { kind: "moved", what },
      "server-blocked",
      "usable",
    ]);
  }
});

test("leg 1 invalid_grant or invalid_request: a plain refresh decides, and only its refusal deletes", () => {
  for (const code of ["invalid_grant", "invalid_request"] as const) {
    const { state, effects, kinds } = after(scene(), refusedWith(code, "token-exchange"));
    assertEquals(kinds, ["drop-lease", "drop-lease", "block-server", "probe-grant"]);
    assertEquals(effects.at(-1), { kind: "probe-grant", server: "one", grant: grantOf("alice", "g1") });
    assertEquals([state.grant, state.threads], [scene().grant, scene().threads]);
    assertEquals([use(state, "one"), use(state, "two")], ["server-blocked", "lease-unknown"]);

    const gone = after(state, probed("refused"));
    assertEquals(gone.kinds, [
      "cancel-pending",
      "revoke-thread",
      "revoke-thread",
      "delete-grant",
      "write-marker",
    ]);
    assertEquals(gone.effects.slice(-2), [
      { kind: "delete-grant", key: "key-of-alice", generation: "g1", revision: 0 },
      { kind: "write-marker", generation: "g9" },
    ]);
    assertEquals([gone.state.grant, gone.state.gone], [null, "refused"]);
    assertEquals(after(gone.state, found(grantOf("alice", "g1"))).kinds, ["discard"], "it came back");

    const standing = after(state, probed("standing"));
    assertEquals([blockOf(standing.state), standing.state.grant], [
      { kind: "identity-refused" },
      scene().grant,
    ]);
    assertEquals(
      use(after(standing.state, leaseReady("two", "new")).state, "two", { lease: "new" }),
      "usable",
    );
    assertEquals(blockOf(after(state, probed("no-refresh-token")).state), { kind: "identity-expired" });
    const later = after(state, probed("unavailable"));
    assertEquals([blockOf(later.state), later.kinds], [null, []]);
  }
  assertEquals(after(scene(), probed("refused")).kinds, ["discard"]);
});

test("access_denied, invalid_target at either leg; leg 1 unauthorized_client: blocked by the administrator", () => {
  const cases = [
    ...LEGS.flatMap((leg) => [["access_denied", leg], ["invalid_target", leg]] as const),
    ["unauthorized_client", "token-exchange"],
  ] as const;
  for (const [code, leg] of cases) {
    const { state, kinds } = after(scene(), refusedWith(code, leg));
    assertEquals([kinds, blockOf(state)], [["drop-lease", "block-server"], { kind: "administrator", leg }]);
    assertEquals([state.grant, use(state, "one"), use(state, "two")], [
      scene().grant,
      "server-blocked",
      "usable",
    ]);
  }
});

test("leg 2 invalid_grant: one fresh ID-JAG, blocked on the second", () => {
  const first = after(scene(), refusedWith("invalid_grant", "redemption"));
  assertEquals(first.kinds, ["drop-lease", "exchange-again"]);
  assertEquals(first.effects.at(-1), { kind: "exchange-again", server: "one", because: "assertion" });
  const second = after(first.state, refusedWith("invalid_grant", "redemption"));
  assertEquals([second.kinds, blockOf(second.state)], [["block-server"], { kind: "assertion" }]);
  const between = after(first.state, leaseReady("one", "new"), refusedWith("invalid_grant", "redemption"));
  assertEquals(between.kinds, ["drop-lease", "exchange-again"]);
});

test("invalid_client, invalid_scope and the rest: that server blocked, which leg", () => {
  for (const leg of LEGS) {
    for (
      const [code, kind] of [["invalid_client", "client"], ["invalid_scope", "scope"], [
        "use_dpop_nonce",
        "binding",
      ]] as const
    ) {
      const { state, kinds } = after(scene(), refusedWith(code, leg));
      assertEquals([kinds, blockOf(state)], [["drop-lease", "block-server"], { kind, leg }]);
    }
    const { state } = after(scene(), failed("misconfigured", leg));
    assertEquals([blockOf(state), state.grant], [{ kind: "misconfigured", leg }, scene().grant]);
    const stronger = after(scene(), refusedWith("insufficient_user_authentication", leg)).state;
    assertEquals([blockOf(stronger), stronger.grant], [{ kind: "stronger-sign-in" }, scene().grant]);
  }
});

test("401 from the MCP server: only the lease it was sent with, one renewal, blocked on the second", () => {
  const refused: AuthorizationEvent = { kind: "bearer-refused", lease: "lease-one" };
  const first = after(scene(), refused);
  assertEquals(first.kinds, ["drop-lease", "exchange-again"]);
  assertEquals(first.effects.at(-1), { kind: "exchange-again", server: "one", because: "bearer" });
  assertEquals(use(first.state, "two"), "usable");
  assertEquals(after(first.state, refused).kinds, []);
  const renewed = after(first.state, leaseReady("one", "new")).state;
  assertEquals(use(renewed, "one", { lease: "new" }), "usable");
  assertEquals(after(renewed, refused).kinds, []);
  const second = after(renewed, { kind: "bearer-refused", lease: "new" });
  assertEquals([second.kinds, blockOf(second.state)], [["drop-lease", "block-server"], {
    kind: "bearer-refused",
  }]);
  const accepted = after(renewed, { kind: "bearer-accepted", lease: "new" }, {
    kind: "bearer-refused",
    lease: "new",
  });
  assertEquals(accepted.kinds, ["drop-lease", "exchange-again"]);
  const other = after(renewed, { kind: "bearer-accepted", lease: "lease-one" }, {
    kind: "bearer-refused",
    lease: "new",
  });
  assertEquals(other.kinds, ["drop-lease", "block-server"]);
});

test("a server that forgets all tokens refuses each binding once, which blocks nothing", () => {
  const other = (id: string) => (state: AuthorizationState): AuthorizationEvent => ({
    kind: "lease-ready",
    tag: tagOf(state, "one"),
    lease: { id, server: "one", binding: "more scopes", receivedAt: 1000, expiresAt: 1300 },
  });
  const refuse = (lease: string): AuthorizationEvent => ({ kind: "bearer-refused", lease });
  const both = after(scene(), other("more"), refuse("lease-one"), refuse("more"));
  assertEquals([both.kinds, blockOf(both.state)], [["drop-lease", "exchange-again"], null]);
  const renewed = after(both.state, leaseReady("one", "new"), other("newer"), {
    kind: "bearer-accepted",
    lease: "new",
  }).state;
  assertEquals(after(renewed, refuse("newer")).kinds, ["drop-lease", "drop-lease", "block-server"]);
  assertEquals(after(renewed, refuse("new")).kinds, ["drop-lease", "exchange-again"]);
});

test("429, 5xx, network, timeout: everything is kept", () => {
  const { state, kinds } = after(scene(), failed("unavailable", "token-exchange"));
  assertEquals([kinds, use(state, "one"), serverOf(state, "one")?.unavailable], [[], "usable", true]);
  assertEquals({ ...state, servers: scene().servers }, scene());
});

test("what began under something else is discarded, and never deletes or blocks", () => {
  const late = [
    failed("grant-in-doubt", "token-exchange")(scene()),
    failed("administrator")(scene()),
    leaseReady("one", "late")(scene()),
  ];
  const changes: readonly Change[] = [
    found(grantOf("alice", "g2")),
    { kind: "account-changed", owner: "bob" },
    { kind: "signed-out", generation: "g9" },
    { kind: "configuration-loaded", servers: [{ name: "one", fingerprint: "f9", disabled: null }] },
  ];
  for (const [index, change] of changes.entries()) {
    const { state } = after(scene(), change);
    for (const event of late) {
      assertEquals(after(state, event).kinds, ["discard"], `${index} ${event.kind}`);
    }
  }
  const doubt = after(scene(), failed("grant-in-doubt", "token-exchange")).state;
  const answer = probed("refused")(doubt);
  const replaced = after(doubt, found(grantOf("alice", "g2"))).state;
  assertEquals(after(replaced, answer), {
    state: replaced,
    effects: [{ kind: "discard", event: "grant-probed" }],
    kinds: ["discard"],
  });
});

test("a configuration that is the same keeps what blocks a server; the answer of a probe clears no other block", () => {
  const refused = after(scene(), refusedWith("access_denied", "redemption")).state;
  assertEquals(
    blockOf(after(refused, { kind: "configuration-loaded", servers: SERVERS }).state)?.kind,
    "administrator",
  );
  const counted = after(scene(), { kind: "bearer-refused", lease: "lease-one" }, {
    kind: "configuration-loaded",
    servers: SERVERS,
  }).state;
  assertEquals(serverOf(counted, "one")?.bearerRefused, ["binding-one"]);
  const doubt = after(scene(), failed("grant-in-doubt", "token-exchange"), {
    kind: "server-moved",
    server: "one",
    what: "issuer",
  }).state;
  for (const outcome of ["refused", "standing", "no-refresh-token", "unavailable"] as const) {
    assertEquals(after(doubt, probed(outcome)).kinds, ["discard"]);
  }
});

test("a lease is not committed for a blocked, disabled or unknown server, nor twice", () => {
  const blocked = after(scene(), { kind: "server-moved", server: "one", what: "issuer" }).state;
  assertEquals(after(blocked, leaseReady("one", "new")).kinds, ["discard"]);
  assertEquals(after(scene(), leaseReady("three")).kinds, ["discard"]);
  assertEquals(after(scene(), leaseReady("one")).kinds, ["discard"]);
  const swapped = after(
    scene(),
    (state) => ({ ...leaseReady("one", "new")(state), tag: tagOf(state, "two") } as AuthorizationEvent),
  );
  assertEquals(swapped.kinds, ["discard"]);
  const renewed = after(scene(), leaseReady("one", "new"));
  assertEquals(renewed.effects, [{ kind: "drop-lease", lease: "lease-one" }]);
});

test("a retry and a new sign-in clear what blocks a server; an outage does not", () => {
  const blocked = after(scene(), refusedWith("access_denied", "redemption")).state;
  assertEquals(blockOf(after(blocked, { kind: "keyring-opened" }).state)?.kind, "administrator");
  const retried = after(blocked, { kind: "server-retried", server: "one" }, leaseReady("one", "new")).state;
  assertEquals(use(retried, "one", { lease: "new" }), "usable");
  const signedIn = after(blocked, found(grantOf("alice", "g2"))).state;
  assertEquals([blockOf(signedIn), use(signedIn, "one")], [null, "thread-revoked"]);
});
