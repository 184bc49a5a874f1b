/**
 * Several places of one document: which one wins, when it is asked again, and what is kept.
 *
 * @module
 */

import { assertEquals } from "@std/assert";
import { test } from "node:test";
import { MetadataCache } from "../../../../adapters/http/discovery/_metadata_cache.ts";
import {
  MAX_ATTEMPTS,
  MAX_RETRY_SECONDS,
  type Search,
  searchDocument,
  type SearchResult,
  type SearchTools,
} from "../../../../adapters/http/discovery/_metadata_search.ts";
import { EnterpriseError } from "../../../../core/enterprise/error.ts";
import { accept, refuse } from "../../../../core/enterprise/verdict.ts";
import { ownProperty } from "../../../../core/json/value.ts";
import type { HttpRequest, HttpResponse } from "../../../../core/ports/http.ts";
import {
  jsonAnswer,
  noSignal,
  type TestClock,
  testClock,
  type TestHttp,
  testHttp,
  textAnswer,
} from "../answers.ts";

const PLACES = ["https://a.example/1", "https://a.example/2", "https://a.example/3"];
const ABSENT = textAnswer("", 404);

/** Accepts documents that name themselves, and refuses the others. */
const SEARCH: Search<string> = {
  places: PLACES,
  read: (document) => {
    const name = ownProperty(document, "name");
    return typeof name === "string" ? accept(name) : refuse(["nameless", "none"], "Cannot use it: no name");
  },
};

interface Set {
  readonly http: TestHttp;
  readonly clock: TestClock;
  readonly search: (signal?: AbortSignal) => Promise<string>;
}

function setUp(answers: (place: number, request: HttpRequest) => HttpResponse): Set {
  const clock = testClock(1000);
  const http = testHttp((request) => answers(PLACES.indexOf(request.url) + 1, request));
  const tools: Omit<SearchTools, "signal"> = {
    http,
    clock,
    cache: new MetadataCache(),
    random: () => 0.5,
    seconds: 5,
  };
  const search = async (signal: AbortSignal = noSignal()): Promise<string> =>
    text(await searchDocument(SEARCH, { ...tools, signal }));
  return { http, clock, search };
}

function text(result: SearchResult<string>): string {
  if (result.kind === "found") return `found ${result.accepted.value}`;
  if (result.kind === "refused") return `refused ${result.refusal.reason} ${result.found}`;
  return result.kind === "unavailable" ? `unavailable ${result.retryAfter}` : "absent";
}

test("the first place in order with an acceptable document wins, and all are asked at once", async () => {
  const { http, search } = setUp((place) => place === 1 ? ABSENT : jsonAnswer({ name: String(place) }));
  assertEquals(await search(), "found 2");
  assertEquals(http.requests.length, 3);
});

test("a refused document does not hide an acceptable one, but is told when there is no other", async () => {
  assertEquals(await setUp((place) => jsonAnswer(place === 3 ? { name: "3" } : {})).search(), "found 3");
  assertEquals(
    await setUp((place) => place === 2 ? jsonAnswer({}) : ABSENT).search(),
    "refused nameless true",
  );
  const page = textAnswer("<p>", 200, { "content-type": "text/html" });
  assertEquals(await setUp((place) => place === 2 ? page : ABSENT).search(), "refused not-json false");
  assertEquals(await setUp(() => ABSENT).search(), "absent");
});

test("an outage is asked again with growing pauses, only where it was, and not for ever", async () => {
  const { http, clock, search } = setUp((place) => place === 2 ? jsonAnswer({}, 503) : ABSENT);
  assertEquals(await search(), "unavailable null");
  assertEquals(clock.slept, [0.25, 0.5]);
  assertEquals(http.requests.length, 3 + MAX_ATTEMPTS - 1);
  let times = 0;
  const passing = setUp((place) =>
    place === 2 && (times += 1) < 2 ? jsonAnswer({}, 503) : jsonAnswer({ name: "x" })
  );
  assertEquals(await passing.search(), "found x");
  assertEquals(passing.clock.slept, []);
  const healed = setUp((place) =>
    place > 1 ? ABSENT : (times += 1) < 3 ? jsonAnswer({}, 429) : jsonAnswer({ name: "y" })
  );
  assertEquals(await healed.search(), "found y");
  assertEquals(healed.clock.slept.length, 1);
});

test("Retry-After is waited for when it is short, and handed on when it is long", async () => {
  const short = setUp(() => jsonAnswer({}, 503, { "retry-after": "3" }));
  assertEquals(await short.search(), "unavailable 3");
  assertEquals(short.clock.slept, [3, 3]);
  const long = setUp(() => jsonAnswer({}, 503, { "retry-after": String(MAX_RETRY_SECONDS + 1) }));
  assertEquals(await long.search(), `unavailable ${MAX_RETRY_SECONDS + 1}`);
  assertEquals(long.clock.slept, []);
  assertEquals(long.http.requests.length, 3);
});

test("a place that ran into its deadline is not asked again, nor anything after an abort", async () => {
  const deadline = new EnterpriseError("TEMPORARILY_UNAVAILABLE", "Cannot reach it", { reason: "deadline" });
  const slow = setUp(() => {
    throw deadline;
  });
  assertEquals(await slow.search(), "unavailable null");
  assertEquals(slow.http.requests.length, 3);
  const aborted = setUp(() => jsonAnswer({}, 503));
  assertEquals(await aborted.search(AbortSignal.abort()), "unavailable null");
  assertEquals(aborted.http.requests.length, 3);
});

test("a fresh document is used without asking, a stale one with a validator alone at its place", async () => {
  let name = "one";
  const { http, clock, search } = setUp((place, { headers }) => {
    if (place !== 2) return ABSENT;
    const validator = headers.find(([field]) => field === "if-none-match")?.[1];
    const fields = { etag: `"${name}"`, "cache-control": "max-age=60" };
    return validator === `"${name}"` ? textAnswer("", 304, fields) : jsonAnswer({ name }, 200, fields);
  });
  assertEquals(await search(), "found one");
  clock.pass(59);
  assertEquals(await search(), "found one");
  assertEquals(http.requests.length, 3);
  clock.pass(2);
  assertEquals(await search(), "found one");
  assertEquals(http.requests.length, 4);
  clock.pass(59);
  assertEquals(await search(), "found one");
  assertEquals(http.requests.length, 4);
  name = "two";
  clock.pass(61);
  assertEquals(await search(), "found two");
  assertEquals(http.requests.length, 5);
});

test("a document that must not be kept, or is stale without a validator, is asked for at every place", async () => {
  for (const control of ["no-store", "max-age=0", "max-age=1"]) {
    const { http, clock, search } = setUp(() => jsonAnswer({ name: "x" }, 200, { "cache-control": control }));
    await search();
    clock.pass(2);
    await search();
    assertEquals(http.requests.length, 6, control);
  }
});

test("a refused document is not kept, and a kept one that is refused later is dropped", async () => {
  let good = false;
  const { http, search } = setUp((place) => place === 1 ? jsonAnswer(good ? { name: "x" } : {}) : ABSENT);
  assertEquals(await search(), "refused nameless true");
  good = true;
  assertEquals(await search(), "found x");
  assertEquals(http.requests.length, 6);
});

test("when the kept document's place fails, all places are asked", async () => {
  let moved = false;
  const { clock, search } = setUp((place) => {
    if (place === (moved ? 3 : 1)) return jsonAnswer({ name: String(place) }, 200, { etag: '"x"' });
    return ABSENT;
  });
  assertEquals(await search(), "found 1");
  moved = true;
  clock.pass(400);
  assertEquals(await search(), "found 3");
});
