import { assert, assertEquals } from "@std/assert";
import { test } from "node:test";
import { inspect } from "node:util";
import { Bearers } from "../../../../adapters/http/authorization/bearers.ts";

test("a token is found under its lease until it is dropped, and nothing shows it", () => {
  const bearers = new Bearers();
  bearers.keep("lease", "a-secret-bearer");
  assertEquals([bearers.of("lease"), bearers.of("other"), bearers.size], ["a-secret-bearer", undefined, 1]);
  assert(!inspect(bearers, { depth: 9, showHidden: true }).includes("a-secret"));
  assert(!JSON.stringify(bearers).includes("a-secret"));
  bearers.drop("lease");
  assertEquals([bearers.of("lease"), bearers.size], [undefined, 0]);
});
