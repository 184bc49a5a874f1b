import { assertEquals } from "@std/assert";
import { test } from "node:test";
import { keyInForce, SeenGrant } from "../../../../adapters/http/grants/seen_grant.ts";
import { recordOf } from "../fake_legs.ts";

const MARKER = { current: "a".repeat(64), generation: "01".repeat(16), revision: 0 };

test("a marker is compared with the one that was seen last, for the same account", () => {
  const seen = new SeenGrant();
  const grant = { key: "k", owner: "alice", generation: "g", revision: 0 };
  const [alice, bob] = [{ owner: "alice", grant }, { owner: "bob", grant: null }];
  assertEquals(seen.compare(MARKER, alice), "unknown");
  seen.see(MARKER, { ...alice, record: recordOf() });
  assertEquals(seen.signIn, { hasRefreshToken: true, idTokenExpiresAt: 9_000 });
  assertEquals([seen.compare({ ...MARKER }, alice), seen.compare(MARKER, bob)], ["same", "unknown"]);
  assertEquals(seen.compare({ ...MARKER, revision: 1 }, alice), "rotated");
  assertEquals(seen.compare({ ...MARKER, change: "02".repeat(16) }, alice), "replaced");
  assertEquals(seen.compare(null, alice), "replaced");
  assertEquals(seen.compare(MARKER, { ...alice, grant: null }), "unknown", "the account came back");
  seen.see(null, { ...bob, record: null });
  assertEquals(seen.signIn, null);
  assertEquals([seen.compare(null, bob), seen.compare(MARKER, bob)], ["same", "replaced"]);
  seen.forget();
  assertEquals(seen.compare(null, bob), "unknown");
});

test("a host says whose grant counts, else the marker does", () => {
  assertEquals(keyInForce({ ownerFrom: "host", owner: "k" }, MARKER), "k");
  assertEquals(keyInForce({ ownerFrom: "host", owner: null }, MARKER), null);
  assertEquals(keyInForce({ ownerFrom: "sign-in", owner: "k" }, MARKER), MARKER.current);
  assertEquals(keyInForce({ ownerFrom: "sign-in", owner: "k" }, null), null);
});
