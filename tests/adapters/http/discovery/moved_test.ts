/**
 * Which part of a server a refusal says has moved.
 *
 * @module
 */

import { assertEquals } from "@std/assert";
import { test } from "node:test";
import { movedPart } from "../../../../adapters/http/discovery/moved.ts";
import { EnterpriseError } from "../../../../core/enterprise/error.ts";

test("issuer, endpoint and authorization server are told apart", () => {
  const part = (reason: string): string | null =>
    movedPart(new EnterpriseError("DISCOVERY_REFUSED", "Cannot use it", { reason }));
  assertEquals(part("issuer-mismatch"), "issuer");
  assertEquals(part("endpoint-off-origin"), "endpoint");
  assertEquals(part("token-endpoint-missing"), "endpoint");
  assertEquals(part("not-published"), "authorization-server");
  assertEquals(part("not-found"), "issuer");
  assertEquals(part("constructor"), "issuer");
});

test("an outage moves nothing", () => {
  const error = new EnterpriseError("TEMPORARILY_UNAVAILABLE", "Cannot reach it", {
    reason: "issuer-mismatch",
  });
  assertEquals(movedPart(error), null);
});
