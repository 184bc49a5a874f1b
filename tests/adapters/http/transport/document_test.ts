/**
 * Which answers hold a JSON document, and what their headers say about time.
 *
 * @module
 */

import { assertEquals } from "@std/assert";
import { test } from "node:test";
import {
  headerOf,
  isJsonType,
  readDocument,
  readJsonText,
  retryAfter,
  serverTime,
} from "../../../../adapters/http/transport/document.ts";
import { jsonAnswer, textAnswer } from "../answers.ts";

test("a document is JSON text under a JSON media type", () => {
  assertEquals(readDocument(jsonAnswer({ a: 1 })), { kind: "json", value: { a: 1 } });
  assertEquals(readDocument(jsonAnswer(null)), { kind: "json", value: null });
  const kindOf = (body: string, type: string): string =>
    readDocument(textAnswer(body, 200, { "content-type": type })).kind;
  assertEquals(kindOf("{}", "application/json; charset=utf-8"), "json");
  assertEquals(kindOf("{}", "Application/JWK-Set+JSON"), "json");
  assertEquals(kindOf("{}", "text/html"), "not-json");
  assertEquals(kindOf("{}", "text/plain"), "not-json");
  assertEquals(kindOf("{}", ""), "not-json");
  assertEquals(kindOf("{", "application/json"), "malformed");
  assertEquals(kindOf("", "application/json"), "empty");
  assertEquals(readDocument({ status: 200, headers: [], body: null }).kind, "too-long");
  assertEquals(readDocument(textAnswer("{}")).kind, "not-json");
});

test("a text that is no UTF-8 is malformed", () => {
  const headers = [["content-type", "application/json"]] as const;
  const answer = { status: 200, headers, body: Uint8Array.from([0x22, 0xff, 0x22]) };
  assertEquals(readDocument(answer).kind, "malformed");
});

test("JSON media types", () => {
  assertEquals(isJsonType("application/json"), true);
  assertEquals(isJsonType("application/problem+json"), true);
  assertEquals(isJsonType("application/jsonp"), false);
  assertEquals(isJsonType("text/json+html"), false);
  assertEquals(isJsonType(null), false);
});

test("a rotated token can be read from any body", () => {
  assertEquals(readJsonText(new TextEncoder().encode('{"a":1}')), { a: 1 });
  assertEquals(readJsonText(new TextEncoder().encode("<p>")), undefined);
  assertEquals(readJsonText(null), undefined);
});

test("the first header of a name counts", () => {
  const headers = [["a", "1"], ["a", "2"]] as const;
  assertEquals(headerOf({ headers }, "a"), "1");
  assertEquals(headerOf({ headers }, "b"), null);
});

test("Date and Retry-After are read as seconds", () => {
  const date = "Sun, 06 Nov 1994 08:49:37 GMT";
  const at = (fields: Record<string, string>) => textAnswer("", 503, fields);
  assertEquals(serverTime(at({ date })), 784111777);
  assertEquals(serverTime(at({ date: "yesterday" })), null);
  assertEquals(serverTime(at({})), null);
  assertEquals(retryAfter(at({ "retry-after": "7" }), 0), 7);
  assertEquals(retryAfter(at({ "retry-after": "-7" }), 0), null);
  assertEquals(retryAfter(at({ "retry-after": "soon" }), 0), null);
  assertEquals(retryAfter(at({}), 0), null);
  const later = "Sun, 06 Nov 1994 08:50:37 GMT";
  assertEquals(retryAfter(at({ "retry-after": later, date }), 0), 60);
  assertEquals(retryAfter(at({ "retry-after": later }), 784111777), 60);
  assertEquals(retryAfter(at({ "retry-after": date }), 784111999), 0);
});
