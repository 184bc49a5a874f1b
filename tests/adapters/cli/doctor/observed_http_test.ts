import { assertEquals, assertRejects } from "@std/assert";
import { test } from "node:test";
import { observeHttp } from "../../../../adapters/cli/doctor/observed_http.ts";
import type { HttpResponse } from "../../../../core/ports/http.ts";

const NOW = Date.parse("2026-07-28T12:00:00Z") / 1000;
const options = { signal: new AbortController().signal, maxBytes: 1 };

function answer(headers: Readonly<Record<string, string>>): HttpResponse {
  return { status: 200, headers: Object.entries(headers), body: new Uint8Array() };
}

test("what each server says about the time, against the middle of the request", async () => {
  const answers: Readonly<Record<string, HttpResponse>> = {
    "https://a.example/x": answer({ date: "Tue, 28 Jul 2026 12:02:00 GMT" }),
    "https://b.example:8443/": answer({ date: "Tue, 28 Jul 2026 11:00:00 GMT", age: "3600" }),
    "https://c.example/": answer({}),
  };
  let now = NOW - 2;
  const observed = observeHttp(
    { send: ({ url }) => Promise.resolve(answers[url]!) },
    { now: () => now += 1.5 },
  );
  for (const url of Object.keys(answers)) {
    assertEquals(await observed.http.send({ method: "GET", url, headers: [] }, options), answers[url]);
  }
  const offsets = [...observed.offsets()].map(([host, seconds]) => [host, Math.round(seconds)]);
  assertEquals(offsets, [["a.example", 120], ["b.example:8443", -3]]);
  assertEquals([...observed.answered()], ["a.example", "b.example:8443", "c.example"]);
});

test("a request that is not answered is nobody's answer", async () => {
  const observed = observeHttp({ send: () => Promise.reject(new Error("down")) }, { now: () => NOW });
  const request = { method: "GET", url: "https://a.example/", headers: [] } as const;
  await assertRejects(() => observed.http.send(request, options), Error, "down");
  assertEquals([observed.answered().size, observed.offsets().size], [0, 0]);
});
