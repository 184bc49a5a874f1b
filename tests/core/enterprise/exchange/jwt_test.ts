import { test } from "node:test";
import { assertEquals } from "@std/assert";
import { readCompactToken } from "../../../../core/enterprise/exchange/jwt.ts";
import { base64url, compactToken } from "../tokens.ts";

test("readCompactToken: signed, encrypted or unreadable", () => {
  const read = readCompactToken(compactToken({ header: { alg: "ES256" }, claims: { sub: "jö" } }));
  assertEquals(read, { kind: "signed", header: { alg: "ES256" }, claims: { sub: "jö" }, signed: true });
  assertEquals(readCompactToken("a.b.c.d.e"), { kind: "encrypted" });
  const unreadable: readonly (readonly [string, "segments" | "header" | "claims" | "signature"])[] = [
    ["", "segments"],
    ["a.b", "segments"],
    ["a.b.c.d", "segments"],
    ["a.b.c.d.e.f", "segments"],
    [`${"a".repeat(70000)}.b.c`, "segments"],
    [compactToken({ header: "x" }), "header"],
    [compactToken({ header: [1] }), "header"],
    [compactToken({ header: '{"alg":"RS256","alg":"none"}' }), "header"],
    [compactToken({ claims: "" }), "claims"],
    [compactToken({ claims: '{"aud":"a","aud":"b"}' }), "claims"],
    [compactToken({ claims: '{"a":{"b":1,"b":2}}' }), "claims"],
    [compactToken({ claims: '{"a":01}' }), "claims"],
    [`${base64url("{}")}.gICA.c2ln`, "claims"],
    [compactToken({ signature: "c2l=" }), "signature"],
  ];
  for (const [token, part] of unreadable) assertEquals(readCompactToken(token), { kind: "unreadable", part });
});

test("readCompactToken: large and odd numbers, deep claims", () => {
  const read = readCompactToken(
    compactToken({ claims: '{"exp":9007199254740993,"x":1.50,"s":"1,2 \\"3","e":1e400}' }),
  );
  assertEquals(read.kind, "signed");
  const deep = `{"a":${"[".repeat(5000)}${"]".repeat(5000)}}`;
  assertEquals(readCompactToken(compactToken({ claims: deep })).kind, "signed");
  assertEquals(readCompactToken(compactToken({ signature: "" })), {
    kind: "signed",
    header: { alg: "RS256", typ: "oauth-id-jag+jwt" },
    claims: {},
    signed: false,
  });
});
