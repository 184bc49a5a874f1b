import { assert, assertEquals } from "@std/assert";
import fc from "fast-check";
import { test } from "node:test";
import { fileName, numbered } from "../../../../adapters/cli/call/file_name.ts";

test("a wish is kept as far as it is a name", () => {
  const rows = [
    ["file:///srv/report.pdf?x=1#y", "report.pdf"],
    ["file:///../../etc/passwd", "passwd"],
    ["x:..%2F..%2Fevil.txt", "evil.txt"],
    ["x:..%5C..%5Cevil.txt", "evil.txt"],
    ["https://a.invalid/", "a.invalid"],
    ["file:///.bashrc", "bashrc"],
    ["file:///a%00b%1b[2J", "a-b-2J"],
    ["file:///con.txt", "_con.txt"],
    ["file:///%E0%A4%A", "E0-A4-A"],
    ["file:///übersicht.csv", "übersicht.csv"],
    ["..", "resource"],
    ["", "resource"],
  ] as const;
  for (const [uri, name] of rows) assertEquals(fileName({ uri, fallback: "resource" }), name, uri);
});

test("a media type gives an extension where there is none", () => {
  assertEquals(fileName({ mimeType: "image/PNG; q=1", fallback: "image" }), "image.png");
  assertEquals(fileName({ mimeType: "a/b", fallback: "image" }), "image");
  assertEquals(fileName({ uri: "x://y/notes", mimeType: "text/markdown", fallback: "r" }), "notes.md");
  assertEquals(fileName({ uri: "x://y/a.b", mimeType: "text/markdown", fallback: "r" }), "a.b");
});

test("a number stands before the extension", () => {
  assertEquals([numbered("a.png", 2), numbered("a", 3), numbered("a.tar.gz", 2)], [
    "a-2.png",
    "a-3",
    "a.tar-2.gz",
  ]);
});

test("whatever is wished, it is one visible step of a bounded length", () => {
  fc.assert(fc.property(fc.string({ unit: "binary", maxLength: 400 }), fc.string(), (uri, mimeType) => {
    const name = fileName({ uri, mimeType, fallback: "resource" });
    assert(/^[\p{L}\p{N}_][\p{L}\p{N}._-]*$/u.test(name), JSON.stringify(name));
    assert(new TextEncoder().encode(name).length <= 255 - 8, JSON.stringify(name));
    assert(!/[.-]$/.test(name), JSON.stringify(name));
  }));
});
