import { test } from "node:test";
import { assertEquals } from "@std/assert";
import type { AuthorizationState } from "../../../../core/enterprise/authorization/state.ts";
import {
  exchangeRefusal,
  leaseUseRefusal,
  serverUseRefusal,
} from "../../../../core/enterprise/authorization/use.ts";
import { NOW, scene } from "./scene.ts";

const use = { thread: "t", server: "one", lease: "lease-one", binding: "binding-one", now: NOW };

/** Everything is compared at each use, so a state that no event makes is refused too. */
function refusal(change: Partial<AuthorizationState>, more: Partial<typeof use> = {}): string | null {
  return leaseUseRefusal({ ...scene(), ...change }, { ...use, ...more });
}

test("leaseUseRefusal: each check has its reason", () => {
  const { servers, threads, leases, grant } = scene();
  const server = (fields: object) => ({ servers: servers.map((one) => ({ ...one, ...fields })) });
  const thread = (fields: object) => ({ threads: threads.map((one) => ({ ...one, ...fields })) });
  const lease = (fields: object) => ({ leases: leases.map((one) => ({ ...one, ...fields })) });
  assertEquals(refusal({}), null);
  assertEquals(refusal({ configuration: { kind: "unavailable" } }), "configuration");
  assertEquals(refusal({ marker: "unreadable" }), "marker");
  assertEquals(refusal({ servers: [] }), "server-unknown");
  assertEquals(refusal(server({ disabled: "FEATURE_OFF" })), "server-disabled");
  assertEquals(refusal({}, { thread: "u" }), "thread-unknown");
  assertEquals(refusal(thread({ revoked: "replaced" })), "thread-revoked");
  assertEquals(refusal({ grant: null }), "not-signed-in");
  assertEquals(refusal({ owner: "bob" }), "not-signed-in");
  assertEquals(refusal({ grant: { ...grant!, generation: "g2" } }), "thread-outdated");
  for (const fields of [{ owner: "bob" }, { generation: "g2" }, { fingerprint: "f9" }]) {
    assertEquals(refusal(thread(fields)), "thread-outdated");
    assertEquals(refusal(lease(fields)), "lease-foreign");
  }
  assertEquals(refusal(server({ block: { kind: "assertion" } })), "server-blocked");
  assertEquals(refusal({ leases: [] }), "lease-unknown");
  assertEquals(refusal({}, { lease: "lease-two" }), "lease-foreign");
  assertEquals(refusal({}, { server: "two", binding: "binding-one" }), "lease-foreign");
  assertEquals(refusal({}, { binding: "binding-two" }), "lease-foreign");
  assertEquals(refusal({}, { now: NOW + 300 }), "lease-expired");
  assertEquals(refusal({}, { now: NOW - 61 }), "lease-expired");
});

test("exchangeRefusal: a locked keyring gives nothing new, and keeps what is there", () => {
  const locked: AuthorizationState = { ...scene(), keyring: "locked" };
  assertEquals([exchangeRefusal(locked, use), serverUseRefusal(locked, use), leaseUseRefusal(locked, use)], [
    "keyring-closed",
    null,
    null,
  ]);
  assertEquals(exchangeRefusal(scene(), use), null);
});
