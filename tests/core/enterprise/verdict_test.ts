import { test } from "node:test";
import { assertEquals } from "@std/assert";
import { accept, refusalError, refuse } from "../../../core/enterprise/verdict.ts";

test("accept, refuse: plain data", () => {
  assertEquals(accept(7), { accepted: true, value: 7, notes: [] });
  const refused = refuse(["issuer", "RFC 8414, 3.3"], "Cannot x: y");
  assertEquals(refused, {
    accepted: false,
    refusal: { reason: "issuer", section: "RFC 8414, 3.3", message: "Cannot x: y" },
  });
  const error = refusalError(refused.refusal, { code: "EXCHANGE_REFUSED", leg: "token-exchange" });
  assertEquals([error.code, error.reason, error.section, error.leg, error.message], [
    "EXCHANGE_REFUSED",
    "issuer",
    "RFC 8414, 3.3",
    "token-exchange",
    "Cannot x: y",
  ]);
  assertEquals(refusalError(refused.refusal, { code: "DISCOVERY_REFUSED" }).leg, undefined);
});
