import { test } from "node:test";
import { assertEquals } from "@std/assert";
import { timeReasonOf, timeText } from "../../../../core/enterprise/exchange/id_jag_time.ts";

test("timeReasonOf: in order, with a minute of tolerance", () => {
  const now = 1000;
  assertEquals(timeReasonOf({ exp: 1001, iat: 1000 }, now), null);
  assertEquals(timeReasonOf({ exp: 941, iat: 1060, nbf: 1060 }, now), null);
  assertEquals(timeReasonOf({}, now), "expiry-missing");
  assertEquals(timeReasonOf({ exp: 940 }, now), "expired");
  assertEquals(timeReasonOf({ exp: 2000 }, now), "issued-missing");
  assertEquals(timeReasonOf({ exp: 2000, iat: 1060.5 }, now), "issued-in-future");
  assertEquals(timeReasonOf({ exp: 2000, iat: 1000, nbf: null }, now), "not-yet-valid");
  assertEquals(timeReasonOf(JSON.parse('{"exp":1e400,"iat":1}'), now), "expiry-missing");
});

test("timeText: the token, or the clock", () => {
  const claims = { exp: 100, iat: 5000, nbf: 6000 };
  const facts = { now: 1000, serverNow: 1050 };
  assertEquals(timeText(claims, { time: "expired", ...facts }), "it expired 900 s ago");
  assertEquals(
    timeText(claims, { time: "issued-in-future", ...facts }),
    "its iat is 4000 s in the future: one of the two clocks is off",
  );
  assertEquals(
    timeText(claims, { time: "not-yet-valid", ...facts }),
    "its nbf is 5000 s in the future: one of the two clocks is off",
  );
  assertEquals(
    timeText(claims, { time: "expired", now: 1000, serverNow: 900 }),
    "this machine's clock is off by 100 s (ahead). Set the clock",
  );
  assertEquals(timeText({}, { time: "expiry-missing", now: 1, serverNow: 900 }), "it has no exp");
});
