import { assertEquals } from "@std/assert";
import { test } from "node:test";
import { partsOf } from "../../../../adapters/cli/call/result_content.ts";

const DATA = btoa("data");
const bytes = new TextEncoder().encode("data");

test("each kind of content is what it is", () => {
  assertEquals(
    partsOf([
      { type: "text", text: "a" },
      { type: "image", data: DATA, mimeType: "image/png" },
      { type: "audio", data: DATA },
      { type: "resource", resource: { uri: "a:b", text: "data", mimeType: "text/plain" } },
      { type: "resource", resource: { uri: "a:b", blob: DATA } },
      { type: "resource_link", uri: "a:b", name: "c" },
    ]),
    [
      { kind: "text", text: "a" },
      { kind: "file", content: { mimeType: "image/png", fallback: "image" }, bytes },
      { kind: "file", content: { mimeType: undefined, fallback: "audio" }, bytes },
      { kind: "file", content: { uri: "a:b", mimeType: "text/plain", fallback: "resource" }, bytes },
      { kind: "file", content: { uri: "a:b", mimeType: undefined, fallback: "resource" }, bytes },
      { kind: "link", uri: "a:b" },
    ],
  );
});

test("what nobody knows, and what is broken, is named", () => {
  const odd = [
    { type: "text" },
    { type: "hologram" },
    { type: "image", data: "***" },
    { type: "image", mimeType: "image/png" },
    { type: "resource", resource: 7 },
    {},
    7,
    null,
  ];
  assertEquals(partsOf(odd).map((part) => part.kind), odd.map(() => "unknown"));
  assertEquals(partsOf([{ type: "hologram" }]), [{ kind: "unknown", what: "a part of the type hologram" }]);
});
