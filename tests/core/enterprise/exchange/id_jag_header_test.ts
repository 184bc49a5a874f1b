import { assertEquals } from "@std/assert";
import { test } from "node:test";
import { headerFlaw } from "../../../../core/enterprise/exchange/id_jag_header.ts";

const RIGHT = { alg: "RS256", typ: "oauth-id-jag+jwt" };

function reason(changes: Readonly<Record<string, unknown>>, signed = true): string | null {
  return headerFlaw({ header: { ...RIGHT, ...changes }, signed })?.[0] ?? null;
}

test("headerFlaw: each check has its reason, in this order", () => {
  assertEquals(reason({}), null);
  assertEquals(reason({ kid: "k", unknown: 1 }), null);
  assertEquals(reason({ alg: "none", crit: [], typ: "JWT" }, false), "signature");
  assertEquals(reason({ alg: "None", crit: [], typ: "JWT" }), "algorithm");
  assertEquals(reason({ crit: [], typ: "JWT" }), "critical");
  assertEquals(reason({ typ: "JWT" }), "type");
});

test("headerFlaw: any crit is refused, whatever stands in it", () => {
  for (const crit of [["exp"], ["b64"], [], null, "exp", 0]) assertEquals(reason({ crit }), "critical");
  const inherited: Record<string, unknown> = Object.assign(Object.create({ crit: ["b64"] }), RIGHT);
  assertEquals(headerFlaw({ header: inherited, signed: true }), null);
});
