/**
 * One place of a document: what its answers mean, and how far redirects are followed.
 *
 * @module
 */

import { assertEquals, assertRejects, assertStringIncludes } from "@std/assert";
import { test } from "node:test";
import { askPlace, type PlaceAnswer } from "../../../../adapters/http/discovery/_metadata_request.ts";
import { EnterpriseError } from "../../../../core/enterprise/error.ts";
import type { HttpRequest, HttpResponse } from "../../../../core/ports/http.ts";
import { jsonAnswer, noSignal, type TestHttp, testHttp, textAnswer } from "../answers.ts";

const URL_ = "https://as.example/.well-known/x";

function ask(http: TestHttp, etag: string | null = null): Promise<PlaceAnswer> {
  return askPlace(URL_, { http, signal: noSignal(), seconds: 5, etag, now: 100 });
}

async function kindOf(response: HttpResponse): Promise<string> {
  const answer = await ask(testHttp(() => response));
  if (answer.kind === "flawed") return `flawed ${answer.refusal.reason}`;
  return answer.kind === "unavailable" ? `unavailable ${answer.retryAfter} ${answer.again}` : answer.kind;
}

test("answers are documents, nothing, something else or an outage", async () => {
  assertEquals(await kindOf(jsonAnswer({ a: 1 })), "document");
  assertEquals(await kindOf(jsonAnswer([])), "document");
  assertEquals(await kindOf(textAnswer("", 404)), "absent");
  assertEquals(await kindOf(jsonAnswer({}, 401)), "absent");
  assertEquals(await kindOf(jsonAnswer({}, 201)), "absent");
  assertEquals(await kindOf(textAnswer("<p>", 200, { "content-type": "text/html" })), "flawed not-json");
  assertEquals(
    await kindOf(textAnswer("{", 200, { "content-type": "application/json" })),
    "flawed malformed",
  );
  assertEquals(await kindOf(textAnswer("")), "flawed malformed");
  assertEquals(await kindOf({ status: 200, headers: [], body: null }), "flawed too-long");
  assertEquals(await kindOf(jsonAnswer({}, 503, { "retry-after": "7" })), "unavailable 7 true");
  for (const status of [408, 425, 429, 500]) {
    assertEquals(await kindOf(jsonAnswer({}, status)), "unavailable null true");
  }
});

test("a GET goes out with Accept alone, and with a validator only when there is one", async () => {
  const http = testHttp(() => textAnswer("", 304));
  assertEquals((await ask(http)).kind, "flawed");
  assertEquals((await ask(http, '"v1"')).kind, "unchanged");
  const [first, second] = http.requests;
  assertEquals(first, { method: "GET", url: URL_, headers: [["accept", "application/json"]] });
  assertEquals(second?.headers[1], ["if-none-match", '"v1"']);
});

test("three redirects on the same origin are followed, the fourth and any other are not", async () => {
  const hops = (count: number) =>
    testHttp(({ url }: HttpRequest) => {
      const hop = Number(new URL(url).searchParams.get("hop") ?? 0);
      return hop < count ? textAnswer("", 302, { location: `?hop=${hop + 1}` }) : jsonAnswer({ hop });
    });
  const three = await ask(hops(3));
  assertEquals(three.kind === "document" ? three.document : null, { hop: 3 });
  const http = hops(4);
  const four = await ask(http);
  assertEquals(four.kind === "flawed" ? four.refusal.reason : null, "redirected");
  assertEquals(http.requests.length, 4);
  for (
    const location of [
      "https://elsewhere.example/x",
      "http://as.example/x",
      "https://u@as.example/",
      "https://",
    ]
  ) {
    const away = testHttp(() => textAnswer("", 307, { location }));
    const answer = await ask(away);
    assertEquals(answer.kind, "flawed", location);
    assertEquals(away.requests.length, 1, location);
  }
  assertEquals((await ask(testHttp(() => textAnswer("", 302)))).kind, "flawed");
});

test("the sentence for a page names the likely mistake, and quotes nothing of it", async () => {
  const page = textAnswer("<p>s3cret</p>", 200, { "content-type": "text/html" });
  const answer = await ask(testHttp(() => page));
  const message = answer.kind === "flawed" ? answer.refusal.message : "";
  assertStringIncludes(message, "a page, not a JSON document");
  assertEquals(message.includes("s3cret"), false);
});

test("no answer is an outage, which is asked again only when the network failed", async () => {
  for (
    const [reason, again] of [["network", true], ["deadline", false], ["aborted", false], [
      "tls",
      false,
    ]] as const
  ) {
    const error = new EnterpriseError("TEMPORARILY_UNAVAILABLE", "Cannot reach it", { reason });
    const answer = await ask(testHttp(() => Promise.reject(error)));
    assertEquals(answer, { kind: "unavailable", error, retryAfter: null, again });
  }
  const refused = new EnterpriseError("CONFIGURATION_REFUSED", "Cannot send anything");
  const error = await assertRejects(() => ask(testHttp(() => Promise.reject(refused))), EnterpriseError);
  assertEquals(error, refused);
});

test("a place that does not answer is given up after its seconds", async () => {
  const http = testHttp((_, { signal }) =>
    new Promise((_resolve, reject) => {
      signal.addEventListener("abort", () => {
        const reason = (signal.reason as Error).name === "TimeoutError" ? "deadline" : "aborted";
        reject(new EnterpriseError("TEMPORARILY_UNAVAILABLE", "Cannot reach it", { reason }));
      });
    })
  );
  const answer = await askPlace(URL_, { http, signal: noSignal(), seconds: 0.01, etag: null, now: 0 });
  assertEquals(answer.kind === "unavailable" ? answer.error.reason : null, "deadline");
});
