import { assertEquals } from "@std/assert";
import { test } from "node:test";
import { isLivingMember } from "../../core/process_stat.ts";

test("isLivingMember reads the state and the group behind any program name", () => {
  assertEquals(isLivingMember("71 (sleep) S 1 70 70 0 -1 4194304", 70), true);
  assertEquals(isLivingMember("71 (a) Z 9 (b) R 1 70 70 0 -1", 70), true);
  assertEquals(isLivingMember("71 (a b) Z 1 70 70 0 -1", 70), false);
  assertEquals(isLivingMember("71 (sleep) X 1 70 70 0 -1", 70), false);
  assertEquals(isLivingMember("70 (sleep) S 1 71 70 0 -1", 70), false);
  assertEquals(isLivingMember("", 70), false);
  assertEquals(isLivingMember("", 0), false);
});
