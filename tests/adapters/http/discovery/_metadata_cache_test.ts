/**
 * The cache keeps a bounded number of documents, and drops the one that was used longest ago.
 *
 * @module
 */

import { assertEquals } from "@std/assert";
import { test } from "node:test";
import { MAX_CACHED_DOCUMENTS, MetadataCache } from "../../../../adapters/http/discovery/_metadata_cache.ts";

const DOCUMENT = { document: {}, etag: null, freshUntil: 0 };

test("documents are found by their URL until they are dropped", () => {
  const cache = new MetadataCache();
  assertEquals(cache.find("a"), null);
  cache.keep("a", DOCUMENT);
  assertEquals(cache.find("a"), DOCUMENT);
  cache.drop("a");
  assertEquals(cache.find("a"), null);
  cache.keep("b", DOCUMENT);
  cache.clear();
  assertEquals(cache.find("b"), null);
});

test("beyond the limit the one that was used longest ago goes", () => {
  const cache = new MetadataCache();
  for (let index = 0; index < MAX_CACHED_DOCUMENTS; index += 1) cache.keep(String(index), DOCUMENT);
  cache.find("0");
  cache.keep("new", DOCUMENT);
  assertEquals(cache.find("0"), DOCUMENT);
  assertEquals(cache.find("1"), null);
  assertEquals(cache.find("new"), DOCUMENT);
});
