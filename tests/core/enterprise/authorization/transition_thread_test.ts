import { test } from "node:test";
import { assertEquals } from "@std/assert";
import type { AuthorizationEvent } from "../../../../core/enterprise/authorization/event.ts";
import { initialState, threadOf } from "../../../../core/enterprise/authorization/state.ts";
import { MAX_CLOSED } from "../../../../core/enterprise/authorization/transition_thread.ts";
import { after, found, grantOf, leaseReady, scene, SERVERS, use } from "./scene.ts";

const opened: AuthorizationEvent = { kind: "thread-opened", thread: "t", server: "one" };
const closed: AuthorizationEvent = { kind: "thread-closed", thread: "t" };
const reauthorized: AuthorizationEvent = { kind: "thread-reauthorized", thread: "t", server: "one" };
const replaced = found(grantOf("alice", "g2"));

test("a thread keeps its authorization when it connects anew", () => {
  assertEquals(after(scene(), opened), { state: scene(), effects: [], kinds: [] });
});

test("a revoked thread is not revived by connecting, closing, opening or retrying", () => {
  const events: readonly AuthorizationEvent[] = [opened, closed, opened, {
    kind: "server-retried",
    server: "one",
  }];
  const state = after(scene(), replaced, ...events, leaseReady("one")).state;
  assertEquals(use(state, "one"), "thread-revoked");
  assertEquals(use(after(state, reauthorized).state, "one"), "usable");
});

test("a thread that is closed is forgotten, the others are not", () => {
  const state = after(scene(), { kind: "thread-opened", thread: "u", server: "one" }, closed).state;
  assertEquals([state.threads.map(({ thread }) => thread), state.closed], [["u"], []]);
});

test("of the threads that were revoked before they were closed, a bounded number is remembered", () => {
  const open = (thread: string): AuthorizationEvent => ({ kind: "thread-opened", thread, server: "one" });
  const close = (thread: string): AuthorizationEvent => ({ kind: "thread-closed", thread });
  const { threads: [one] } = after(scene(), replaced).state;
  if (one === undefined) throw new Error("Cannot make the scene");
  const names = Array.from({ length: MAX_CLOSED + 1 }, (_, index) => `t${index}`);
  const full = { ...scene(), threads: names.map((thread) => ({ ...one, thread })) };
  const { state } = after(full, ...names.map(close));
  assertEquals([state.threads.length, state.closed.length], [0, MAX_CLOSED]);
  assertEquals(threadOf(state, { thread: "t1", server: "one" })?.revoked, "replaced");
  const again = after(state, open("t1"), open("t1"), close("t1"), open("t1")).state;
  assertEquals([again.threads.map(({ revoked }) => revoked), again.closed.length], [
    ["replaced"],
    MAX_CLOSED - 1,
  ]);
});

test("a thread that was opened while nobody was signed in is authorized when it is opened again", () => {
  const early = after(
    initialState("host"),
    { kind: "configuration-loaded", servers: SERVERS },
    opened,
    {
      kind: "account-changed",
      owner: "alice",
    },
    found(grantOf("alice", "g1")),
    leaseReady("one"),
  ).state;
  assertEquals(use(early, "one"), "thread-revoked");
  assertEquals(use(after(early, opened).state, "one"), "usable");
});

test("threads that come with their server from elsewhere are revoked until a person authorizes them", () => {
  const carried: AuthorizationEvent = {
    kind: "threads-carried",
    server: "one",
    threads: [
      { thread: "usable there", revoked: null },
      { thread: "revoked there", revoked: "signed-out" },
      { thread: "never there", revoked: "never-authorized" },
      { thread: "t", revoked: "replaced" },
    ],
  };
  const { state, effects } = after(scene(), carried);
  const reasons = (at: typeof state): readonly unknown[] =>
    ["usable there", "revoked there", "never there"].map((thread) =>
      threadOf(at, { thread, server: "one" })?.revoked
    );
  const moved = "registration-changed";
  assertEquals([effects, reasons(state)], [[], [moved, moved, "never-authorized"]]);
  assertEquals(use(state, "one"), "usable", "a thread that is known here is what it is here");
  const open = (thread: string): AuthorizationEvent => ({ kind: "thread-opened", thread, server: "one" });
  const opened = after(state, ...["usable there", "revoked there", "never there"].map(open)).state;
  assertEquals(reasons(opened), [moved, moved, null]);
  const again: AuthorizationEvent = { kind: "thread-reauthorized", thread: "revoked there", server: "one" };
  assertEquals(reasons(after(opened, again).state), [moved, null, null]);
  // one that was opened here before anybody was signed in, and used there
  const early = after(initialState("host"), open("usable there"), carried).state;
  assertEquals(reasons(early)[0], moved);
});

test("nothing is authorized without a sign-in, a valid configuration and an enabled server", () => {
  const cases: readonly AuthorizationEvent[] = [
    { kind: "signed-out", generation: "g9" },
    { kind: "configuration-unavailable" },
    { kind: "configuration-loaded", servers: [{ ...SERVERS[0], disabled: "FEATURE_OFF" }] },
    { kind: "configuration-loaded", servers: [] },
  ];
  for (const event of cases) assertEquals(after(scene(), event, reauthorized).kinds, ["discard"], event.kind);
});
