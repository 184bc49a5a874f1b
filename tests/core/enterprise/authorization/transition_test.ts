import { test } from "node:test";
import { assert, assertEquals } from "@std/assert";
import type { AuthorizationEvent } from "../../../../core/enterprise/authorization/event.ts";
import {
  type AuthorizationState,
  initialState,
  type RevokedReason,
} from "../../../../core/enterprise/authorization/state.ts";
import { tagOf } from "../../../../core/enterprise/authorization/tag.ts";
import { after, found, grantOf, leaseReady, missing, NOW, scene, SERVERS, use } from "./scene.ts";

const REVOKED = ["cancel-pending", "drop-lease", "drop-lease", "revoke-thread", "revoke-thread"];
const layer = { kind: "administrator", source: "managed.toml" } as const;
const rejected: AuthorizationEvent = { kind: "configuration-rejected", field: "features.use_xaa", layer };
const loaded: AuthorizationEvent = { kind: "configuration-loaded", servers: SERVERS };
const reauthorized: AuthorizationEvent = { kind: "thread-reauthorized", thread: "t", server: "one" };

/** That everything was revoked, for `reason`, and nothing but a new authorization brings it back. */
function assertRevoked(state: AuthorizationState, reason: RevokedReason): void {
  assertEquals(state.leases, []);
  assertEquals(state.threads.map(({ revoked }) => revoked), [reason, reason]);
  assert(state.epoch > scene().epoch);
}

test("the scene itself: both leases may be used", () => {
  assertEquals([use(scene(), "one"), use(scene(), "two")], ["usable", "usable"]);
});

test("account owner changes, or the host's account signs out: leases dropped, threads revoked, grant kept", () => {
  for (const owner of ["bob", null]) {
    const { state, kinds } = after(scene(), { kind: "account-changed", owner });
    assertRevoked(state, "account-changed");
    assertEquals(kinds, owner === null ? REVOKED : [...REVOKED, "read-grant"]);
    assertEquals(state.grant, null);
    const back =
      after(state, { kind: "account-changed", owner: "alice" }, found(grantOf("alice", "g1"))).state;
    assertEquals(use(back, "one"), "thread-revoked");
    assertEquals(use(after(back, reauthorized, leaseReady("one")).state, "one"), "usable");
  }
  assertEquals(after(scene(), { kind: "account-changed", owner: "alice" }), {
    state: scene(),
    effects: [],
    kinds: [],
  });
});

test("sign-out: what is stored is ended first, under a new generation, also when it was never read", () => {
  for (const [ownerFrom, key] of [["host", "alice"], ["sign-in", null]] as const) {
    const out: AuthorizationEvent = { kind: "signed-out", generation: "g9" };
    const { state, effects, kinds } = after(scene(ownerFrom), out);
    assertRevoked(state, "signed-out");
    assertEquals(kinds, ["end-sign-in", ...REVOKED]);
    assertEquals(effects[0], { kind: "end-sign-in", key, generation: "g9" });
    assertEquals([state.grant, state.gone], [null, "signed-out"]);
    assertEquals(after(state, out).kinds, ["end-sign-in", "cancel-pending"]);
    const unread = after(initialState(ownerFrom), { kind: "account-changed", owner: "alice" }, out);
    assertEquals(unread.effects[0], effects[0]);
  }
  // nobody's account has nothing stored
  assertEquals(after(initialState("host"), { kind: "signed-out", generation: "g9" }).kinds, [
    "cancel-pending",
  ]);
});

test("what was read before a sign-out, or while it is not stored yet, brings nothing back", () => {
  for (const ownerFrom of ["host", "sign-in"] as const) {
    const key = ownerFrom === "host" ? "alice" : null;
    const early = found(grantOf("alice", "g1"))(scene(ownerFrom));
    const unread = after(scene(ownerFrom), missing).state;
    const other = found(grantOf("alice", "g0"));
    for (const [begun, reads] of [[scene(ownerFrom), [early]], [unread, [other, other]]] as const) {
      const out = after(begun, { kind: "signed-out", generation: "g9" }).state;
      const late = after(out, ...reads);
      assertEquals([late.kinds, late.state.grant, late.state.epoch], [["discard"], null, out.epoch]);
      const stored = after(late.state, { kind: "sign-in-ended", owner: key }, ...reads, early);
      assertEquals([stored.state.grant, stored.state.ending], [null, []]);
      assertEquals(after(out, missing(scene(ownerFrom))).kinds, ["discard"]);
      const signedIn = after(stored.state, found(grantOf("alice", "g2"))).state;
      assertEquals(signedIn.grant?.generation, "g2");
    }
  }
  const other = after(
    scene(),
    { kind: "signed-out", generation: "g9" },
    { kind: "account-changed", owner: "bob" },
    found(grantOf("bob", "g5")),
  ).state;
  assertEquals(
    [other.grant?.generation, other.ending],
    ["g5", ["alice"]],
    "another account's is not being ended",
  );
});

test("what was read of the account before says nothing about the one after it", () => {
  const read = found(grantOf("alice", "g1"))(scene());
  const before = missing(scene());
  const round = [{ kind: "account-changed", owner: "bob" }, {
    kind: "account-changed",
    owner: "alice",
  }] as const;
  const { state } = after(scene(), ...round);
  assertEquals([after(state, read).kinds, after(state, before).kinds], [["discard"], ["discard"]]);
});

test("an enterprise sign-in replaces the grant: the old generation is void, and nothing is revived", () => {
  const signIn = (state: AuthorizationState): AuthorizationEvent => ({
    kind: "signed-in",
    tag: tagOf(state, null),
    grant: grantOf("alice", "g2"),
  });
  const { state, kinds } = after(scene(), signIn);
  assertRevoked(state, "replaced");
  assertEquals(kinds, [...REVOKED, "store-grant"]);
  assertEquals(use(after(state, leaseReady("one")).state, "one"), "thread-revoked");
  assertEquals(use(after(state, reauthorized, leaseReady("one")).state, "one"), "usable");
  assertEquals(use(after(state, reauthorized).state, "one"), "lease-unknown");
});

test("a sign-in is committed only if nothing changed since it began, and only for the host's account", () => {
  const begun = tagOf(scene(), null);
  const commit: AuthorizationEvent = { kind: "signed-in", tag: begun, grant: grantOf("alice", "g2") };
  const changes: readonly Parameters<typeof after>[1][] = [
    { kind: "account-changed", owner: "bob" },
    { kind: "signed-out", generation: "g9" },
    found(grantOf("alice", "g3")),
    missing,
    { ...loaded, servers: [SERVERS[0]] },
    rejected,
  ];
  for (const [index, change] of changes.entries()) {
    const { state } = after(scene(), change);
    assertEquals(after(state, commit), {
      state,
      effects: [{ kind: "discard", event: "signed-in" }],
      kinds: ["discard"],
    }, `${index}`);
  }
  const bob: AuthorizationEvent = { ...commit, grant: grantOf("bob", "g2") };
  assertEquals(after(scene(), bob).kinds, ["discard"]);
  assertEquals(after(scene(), { ...commit, grant: grantOf("alice", "g1") }).kinds, ["discard"]);
  const own = after(scene("sign-in"), bob);
  assertRevoked(own.state, "account-changed");
  assertEquals(own.state.owner, "bob");
  const round = after(scene(), { kind: "account-changed", owner: "bob" }, {
    kind: "account-changed",
    owner: "alice",
  }, found(grantOf("alice", "g1")));
  assertEquals(after(round.state, commit).kinds, ["discard"]);
});

test("another process signed in: the old generation is void; a rotation changes nothing", () => {
  const { state } = after(scene(), found(grantOf("alice", "g2")));
  assertRevoked(state, "replaced");
  const rotated = after(scene(), found(grantOf("alice", "g1", 5)));
  assertEquals([rotated.kinds, rotated.state.grant?.revision, use(rotated.state, "one")], [[], 5, "usable"]);
  const older = after(rotated.state, found(grantOf("alice", "g1", 4)));
  assertEquals(older.state.grant?.revision, 5);
  assertEquals(after(scene(), found(grantOf("bob", "g2"))).kinds, ["discard"]);
  const own = after(scene("sign-in"), found(grantOf("bob", "g2")));
  assertRevoked(own.state, "account-changed");
});

test("the item was deleted by someone else: signed out", () => {
  const { state, kinds } = after(scene(), missing);
  assertRevoked(state, "deleted");
  assertEquals([kinds, state.grant, state.gone], [REVOKED, null, "deleted"]);
  assertEquals(after(state, missing).kinds, []);
});

test("the keyring locks later: everything is kept until the leases end", () => {
  const { state, kinds } = after(scene(), { kind: "keyring-closed", keyring: "locked" });
  assertEquals([kinds, use(state, "one"), use(state, "one", { now: NOW + 300 })], [
    [],
    "usable",
    "lease-expired",
  ]);
  assertEquals(after(state, { kind: "keyring-opened" }).state, scene());
});

test("the marker cannot be read: nothing may be used until it can", () => {
  const { state } = after(scene(), { kind: "marker-unreadable" });
  assertEquals(use(state, "one"), "marker");
  assertEquals(use(after(state, { kind: "marker-read" }).state, "one"), "usable");
});

test("the managed configuration becomes invalid: revoked, and a good one does not revive", () => {
  const { state, kinds } = after(scene(), rejected);
  assertRevoked(state, "configuration-rejected");
  assertEquals([kinds, state.grant], [REVOKED, scene().grant]);
  assertEquals(use(state, "one"), "configuration");
  assertEquals(after(state, { kind: "configuration-unavailable" }).state, state);
  const again = after(state, rejected);
  assertEquals([again.kinds, again.state.epoch], [[], state.epoch]);
  const back = after(state, loaded).state;
  assertEquals(use(back, "one"), "thread-revoked");
  assertEquals(use(after(back, reauthorized, leaseReady("one")).state, "one"), "usable");
});

test("the managed configuration cannot be loaded: blocked, nothing dropped, and back when it is the same", () => {
  const { state, kinds } = after(scene(), { kind: "configuration-unavailable" });
  assertEquals([kinds, use(state, "one"), state.leases.length], [[], "configuration", 2]);
  assertEquals(after(state, leaseReady("one", "other")).kinds, ["discard"]);
  assertEquals(use(after(state, loaded).state, "one"), "usable");
  const moved = [{ ...SERVERS[0], fingerprint: "f9" }, SERVERS[1]];
  assertEquals(use(after(state, { ...loaded, servers: moved }).state, "one"), "thread-revoked");
});

test("registration changed, server removed, feature off: its own leases and threads, no other's", () => {
  const cases = [
    [[{ ...SERVERS[0], fingerprint: "f9" }, SERVERS[1]], "registration-changed"],
    [[SERVERS[1]], "server-removed"],
    [[{ ...SERVERS[0], disabled: "FEATURE_OFF" }, SERVERS[1]], "server-disabled"],
  ] as const;
  for (const [servers, reason] of cases) {
    const { state, kinds } = after(scene(), { kind: "configuration-loaded", servers });
    assertEquals(kinds, ["cancel-pending", "drop-lease", "revoke-thread"]);
    assertEquals(state.threads.map(({ revoked }) => revoked), [reason, null]);
    assertEquals([use(state, "two"), state.epoch], ["usable", scene().epoch + 1]);
    assertEquals(use(after(state, loaded).state, "one"), "thread-revoked");
  }
  assertEquals(after(scene(), loaded), { state: scene(), effects: [], kinds: [] });
});

test("time passes: leases that ended are forgotten", () => {
  assertEquals(after(scene(), { kind: "time-passed", now: NOW + 299 }).kinds, []);
  assertEquals(after(scene(), { kind: "time-passed", now: NOW + 300 }).kinds, ["drop-lease", "drop-lease"]);
});

test("a host that has read nothing uses nothing", () => {
  const state = initialState("host");
  assertEquals(use(state, "one"), "configuration");
  assertEquals(use(after(state, loaded).state, "one"), "thread-unknown");
});
