import { test } from "node:test";
import { assert, assertEquals } from "@std/assert";
import fc from "fast-check";
import type { AuthorizationEvent } from "../../../../core/enterprise/authorization/event.ts";
import { type AuthorizationState, initialState } from "../../../../core/enterprise/authorization/state.ts";
import { type CommitTag, tagOf } from "../../../../core/enterprise/authorization/tag.ts";
import { transition } from "../../../../core/enterprise/authorization/transition.ts";
import { leaseUseRefusal, serverUseRefusal } from "../../../../core/enterprise/authorization/use.ts";
import { grantOf, NOW } from "./scene.ts";

const THREADS = ["t", "u"];
const NAMES = ["one", "two"];
const BINDINGS = ["x", "y"];
const LEASES = ["l1", "l2", "l3"];

type Tagged = (tag: CommitTag) => AuthorizationEvent;

/** What to do next; tags are taken from the state when they are remembered, and used later. */
type Action =
  | { readonly event: AuthorizationEvent }
  | { readonly remember: string | null }
  | { readonly tagged: Tagged; readonly which: number }
  | { readonly read: Tagged };

const name = fc.constantFrom(...NAMES);
const thread = fc.constantFrom(...THREADS);
const owner = fc.constantFrom("alice", "bob");
const generation = fc.constantFrom("g1", "g2", "g3");
const grant = fc.tuple(owner, generation).map(([one, other]) => grantOf(one, other));
const lease = fc.constantFrom(...LEASES);
const fingerprint = fc.constantFrom("f1", "f2");
const disabled = fc.constantFrom(null, null, null, "FEATURE_OFF");
const registered = fc.record({ fingerprint, disabled });
const which = fc.nat(7);

const event: fc.Arbitrary<AuthorizationEvent> = fc.oneof(
  fc.constantFrom("alice", "bob", null).map((one) => ({ kind: "account-changed", owner: one }) as const),
  generation.map((one) => ({ kind: "signed-out", generation: one }) as const),
  fc.constantFrom("alice", "bob", null).map((one) => ({ kind: "sign-in-ended", owner: one }) as const),
  fc.constantFrom(
    { kind: "keyring-closed", keyring: "locked" } as const,
    { kind: "keyring-closed", keyring: "absent" } as const,
    { kind: "keyring-opened" } as const,
    { kind: "marker-unreadable" } as const,
    { kind: "marker-read" } as const,
    { kind: "configuration-unavailable" } as const,
    { kind: "configuration-rejected", field: "x", layer: null } as const,
  ),
  {
    weight: 4,
    arbitrary: fc.tuple(registered, fc.option(registered)).map(([one, two]) =>
      ({
        kind: "configuration-loaded",
        servers: [{ name: "one", ...one }, ...two === null ? [] : [{ name: "two", ...two }]],
      }) as const
    ),
  },
  name.map((server) => ({ kind: "server-moved", server, what: "issuer" }) as const),
  lease.map((one) => ({ kind: "bearer-refused", lease: one }) as const),
  lease.map((one) => ({ kind: "bearer-accepted", lease: one }) as const),
  fc.constantFrom(NOW, NOW + 400).map((now) => ({ kind: "time-passed", now }) as const),
  { weight: 4, arbitrary: fc.record({ kind: fc.constant("thread-opened" as const), thread, server: name }) },
  {
    weight: 2,
    arbitrary: fc.record({ kind: fc.constant("thread-reauthorized" as const), thread, server: name }),
  },
  thread.map((one) => ({ kind: "thread-closed", thread: one }) as const),
  fc.tuple(name, thread, fc.constantFrom(null, "signed-out" as const, "never-authorized" as const)).map((
    [server, one, revoked],
  ) => ({ kind: "threads-carried", server, threads: [{ thread: one, revoked }] }) as const),
  { weight: 2, arbitrary: name.map((server) => ({ kind: "server-retried", server }) as const) },
);

const meaning = fc.constantFrom(
  ...[
    "grant-in-doubt",
    "administrator",
    "assertion",
    "client",
    "scope",
    "stronger-sign-in",
    "binding",
    "unavailable",
  ] as const,
  "misconfigured" as const,
);
const outcome = fc.constantFrom("refused", "standing", "no-refresh-token", "unavailable");
/** What was read of the keyring: with a tag of now, or of then. */
const read: fc.Arbitrary<Tagged> = fc.oneof(
  { weight: 4, arbitrary: grant.map((one): Tagged => (tag) => ({ kind: "grant-found", tag, grant: one })) },
  fc.constant<Tagged>((tag) => ({ kind: "grant-missing", tag })),
);
const tagged: fc.Arbitrary<Tagged> = fc.oneof(
  grant.map((one): Tagged => (tag) => ({ kind: "signed-in", tag, grant: one })),
  read,
  fc.tuple(name, meaning).map(([server, means]): Tagged => (tag) => ({
    kind: "request-failed",
    tag,
    server,
    leg: "token-exchange",
    meaning: means,
  })),
  fc.tuple(name, outcome, generation).map(([server, out, next]): Tagged => (tag) => ({
    kind: "grant-probed",
    tag,
    server,
    outcome: out,
    generation: next,
  })),
  {
    weight: 6,
    arbitrary: fc.tuple(name, lease, fc.constantFrom(...BINDINGS)).map(
      ([server, id, binding]): Tagged => (tag) => ({
        kind: "lease-ready",
        tag,
        lease: { id, server, binding, receivedAt: NOW, expiresAt: NOW + 300 },
      }),
    ),
  },
);

const action: fc.Arbitrary<Action> = fc.oneof(
  { weight: 3, arbitrary: event.map((one): Action => ({ event: one })) },
  {
    weight: 2,
    arbitrary: fc.constantFrom(...NAMES, ...NAMES, null).map((one): Action => ({ remember: one })),
  },
  { weight: 3, arbitrary: fc.record({ tagged, which }) },
  { weight: 1, arbitrary: fc.record({ read }) },
);

/** What is in force for a server: one text that changes whenever account, generation or registration does. */
function inForce(state: AuthorizationState, server: string): string | null {
  const found = state.servers.find((one) => one.name === server);
  const valid = state.configuration.kind !== "rejected" && found !== undefined && found.disabled === null;
  if (!valid || state.grant === null || state.owner === null) return null;
  return JSON.stringify([state.owner, state.grant.key, state.grant.generation, found.fingerprint]);
}

/** Runs the actions and keeps an account of its own: what each thread and each lease was given, and lost. */
function run(actions: readonly Action[], ownerFrom: "host" | "sign-in"): { usable: number; leases: number } {
  let state = initialState(ownerFrom);
  const tags: CommitTag[] = [];
  const given = new Map<string, string | null>(); // thread and server -> what it was authorized for; null: revoked
  const committed = new Map<
    string,
    { readonly force: string; readonly server: string; readonly binding: string }
  >();
  const out = new Set<string>(); // generations that a person signed out of
  const counts = { usable: 0, leases: 0 };
  for (const one of actions) {
    if ("remember" in one) {
      tags.push(tagOf(state, one.remember));
      continue;
    }
    const tag = "tagged" in one ? tags.at(-1 - one.which) ?? tags[0] : undefined;
    if ("tagged" in one && tag === undefined) continue;
    const before = state;
    const happened = "event" in one
      ? one.event
      : "read" in one
      ? one.read(tagOf(before, null))
      : one.tagged(tag!);
    const { state: after, effects } = transition(before, happened);
    state = after;
    const discarded = effects.some(({ kind }) => kind === "discard");
    for (const server of NAMES) {
      const lost = inForce(before, server) !== null && inForce(before, server) !== inForce(after, server);
      for (const user of THREADS) {
        if (lost && given.has(`${user} ${server}`)) given.set(`${user} ${server}`, null);
      }
    }
    if (happened.kind === "thread-opened" || happened.kind === "thread-reauthorized") {
      const key = `${happened.thread} ${happened.server}`;
      const force = inForce(after, happened.server);
      const may = happened.kind === "thread-reauthorized" || given.get(key) === undefined;
      const valid = after.configuration.kind === "valid";
      if (!discarded && may && valid && force !== null) given.set(key, force);
    }
    if (happened.kind === "threads-carried") {
      for (const { thread: user, revoked } of happened.threads) {
        const key = `${user} ${happened.server}`;
        if (revoked !== "never-authorized" && given.get(key) === undefined) given.set(key, null);
      }
    }
    if (happened.kind === "thread-closed") {
      for (const server of NAMES) {
        if (given.get(`${happened.thread} ${server}`) !== null) {
          given.delete(`${happened.thread} ${server}`);
        }
      }
    }
    if (happened.kind === "lease-ready" && !discarded) {
      const { id, server, binding } = happened.lease;
      const force = inForce(after, server);
      assert(force !== null && happened.tag.epoch === after.epoch && happened.tag.server === server);
      committed.set(id, { force, server, binding });
    }
    assert(after.epoch >= before.epoch);
    if (happened.kind === "signed-out" && before.grant !== null) out.add(before.grant.generation);
    if (happened.kind === "signed-in" && !discarded) out.delete(happened.grant.generation);
    assert(!out.has(after.grant?.generation ?? ""), "what a person signed out of is back");
    check(state, { given, committed, counts });
  }
  return counts;
}

interface Account {
  readonly given: ReadonlyMap<string, string | null>;
  readonly committed: ReadonlyMap<
    string,
    { readonly force: string; readonly server: string; readonly binding: string }
  >;
  readonly counts: { usable: number; leases: number };
}

function check(state: AuthorizationState, { given, committed, counts }: Account): void {
  for (const user of THREADS) {
    for (const server of NAMES) {
      const force = inForce(state, server);
      if (serverUseRefusal(state, { thread: user, server }) === null) {
        counts.usable++;
        assert(force !== null);
        assertEquals(
          given.get(`${user} ${server}`),
          force,
          "a thread is usable for what it was authorized for",
        );
      }
      for (const one of LEASES) {
        for (const binding of BINDINGS) {
          if (leaseUseRefusal(state, { thread: user, server, lease: one, binding, now: NOW }) !== null) {
            continue;
          }
          counts.leases++;
          assertEquals(
            committed.get(one),
            { force: force ?? "", server, binding },
            "a lease is used for what it was made for",
          );
        }
      }
    }
  }
}

test("no sequence of events makes a revoked thread usable, nor a lease usable for anything else", () => {
  const counts = { usable: 0, leases: 0 };
  const start: readonly Action[] = [
    { event: { kind: "account-changed", owner: "alice" } },
    {
      event: {
        kind: "configuration-loaded",
        servers: NAMES.map((one) => ({ name: one, fingerprint: "f1", disabled: null })),
      },
    },
    { read: (tag) => ({ kind: "grant-found", tag, grant: grantOf("alice", "g1") }) },
    { event: { kind: "thread-opened", thread: "t", server: "one" } },
    { remember: "one" },
  ];
  const actions = fc.array(action, { minLength: 1, maxLength: 40 });
  fc.assert(
    fc.property(
      actions,
      fc.boolean(),
      fc.constantFrom("host" as const, "sign-in" as const),
      (list, begun, from) => {
        const { usable, leases } = run(begun ? [...start, ...list] : list, from);
        counts.usable += usable;
        counts.leases += leases;
      },
    ),
    { numRuns: 2000 },
  );
  // otherwise the sequences never reach what the test is about
  assert(counts.usable > 1000 && counts.leases > 200, JSON.stringify(counts));
});
