/**
 * How long documents are kept, by their headers and within bounds.
 *
 * @module
 */

import { assertEquals } from "@std/assert";
import { test } from "node:test";
import {
  freshSeconds,
  MAX_FRESH_SECONDS,
  UNKNOWN_FRESH_SECONDS,
} from "../../../../adapters/http/discovery/_freshness.ts";
import { textAnswer } from "../answers.ts";

function fresh(control: string | null, age?: string): number | null {
  const fields = {
    ...(control === null ? {} : { "cache-control": control }),
    ...(age === undefined ? {} : { age }),
  };
  return freshSeconds(textAnswer("", 200, fields));
}

test("the headers decide, between nothing and an hour", () => {
  assertEquals(fresh("max-age=60"), 60);
  assertEquals(fresh("public, Max-Age=60"), 60);
  assertEquals(fresh('max-age="60"'), 60);
  assertEquals(fresh("max-age=60", "45"), 15);
  assertEquals(fresh("max-age=60", "100"), 0);
  assertEquals(fresh("max-age=99999999"), MAX_FRESH_SECONDS);
  assertEquals(fresh("max-age=soon"), 0);
  assertEquals(fresh("max-age=60, no-cache"), 0);
  assertEquals(fresh("max-age=60, no-store"), null);
  assertEquals(fresh(null), UNKNOWN_FRESH_SECONDS);
  assertEquals(fresh("private"), UNKNOWN_FRESH_SECONDS);
});
