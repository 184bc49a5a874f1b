import { assert, assertEquals, assertRejects } from "@std/assert";
import { test } from "node:test";
import { readSmallBody } from "../../../../../../adapters/mcp/host/enterprise/connection/small_body.ts";

const { signal } = new AbortController();

/** An answer of one chunk, with what it says of itself. */
function answer(headers: Readonly<Record<string, string>>, text = "{}"): Response {
  return new Response(text, { status: 201, statusText: "Made", headers });
}

const JSON_TYPE = "application/json";

test("a small JSON document is read whole, and stays what it was", async () => {
  for (const type of [JSON_TYPE, "application/json; charset=utf-8", "Application/JSON"]) {
    const given = answer({ "content-type": type, "content-length": "2", "x-a": "b" });
    const whole = await readSmallBody(given, signal);
    assert(whole !== null && given.bodyUsed);
    assertEquals([whole.status, whole.statusText, whole.headers.get("x-a")], [201, "Made", "b"]);
    assertEquals(await whole.json(), {});
  }
});

test("nothing is read of a stream, of what is long or does not say, and of what is compressed", async () => {
  const others: readonly Readonly<Record<string, string>>[] = [
    { "content-type": "text/event-stream", "content-length": "2" },
    { "content-type": "application/json-seq", "content-length": "2" },
    { "content-length": "2" },
    { "content-type": JSON_TYPE },
    { "content-type": JSON_TYPE, "content-length": "262145" },
    { "content-type": JSON_TYPE, "content-length": "9999999" },
    { "content-type": JSON_TYPE, "content-length": "-1" },
    { "content-type": JSON_TYPE, "content-length": "2", "content-encoding": "gzip" },
  ];
  for (const headers of others) {
    const given = answer(headers);
    assertEquals(await readSmallBody(given, signal), null, JSON.stringify(headers));
    assertEquals(await given.text(), "{}");
  }
  const empty = new Response(null, { headers: { "content-type": JSON_TYPE, "content-length": "0" } });
  assertEquals(await readSmallBody(empty, signal), null);
});

test("whoever gives up while it comes is told so in their own words, and a body that fails fails", async () => {
  const headers = { "content-type": JSON_TYPE, "content-length": "2" };
  const caller = new AbortController();
  const silent = new Response(new ReadableStream(), { headers });
  const reading = readSmallBody(silent, caller.signal);
  const reason = new Error("enough");
  caller.abort(reason);
  assertEquals(await assertRejects(() => reading), reason);
  const broken = new Response(
    new ReadableStream({ start: (controller) => controller.error(new TypeError("cut")) }),
    { headers },
  );
  await assertRejects(() => readSmallBody(broken, signal), TypeError, "cut");
});
