import { test } from "node:test";
import { assertEquals } from "@std/assert";
import { coversUrl, isAskedIssuer, isPublishedIssuer } from "../../../core/enterprise/identifier.ts";

test("issuers: equal as strings, or by the slash after a bare origin", () => {
  for (const same of [isAskedIssuer, isPublishedIssuer]) {
    assertEquals(same("https://idp.example", "https://idp.example"), true);
    assertEquals(same("https://idp.example", "https://idp.example/"), true);
    assertEquals(same("https://idp.example/", "https://idp.example"), true);
    const different = [
      ["https://idp.example/a", "https://idp.example/a/"],
      ["https://idp.example", "https://IDP.example"],
      ["https://idp.example", "https://idp.example:443"],
      ["https://idp.example", "https://idp.example//"],
      ["https://idp.example", "https://idp.example.evil"],
      ["https://idp.example", "http://idp.example"],
    ] as const;
    for (const [a, b] of different) assertEquals([same(a, b), same(b, a)], [false, false], `${a} ${b}`);
  }
});

test("coversUrl: same origin and query, the same path or a parent of it", () => {
  const url = "https://mcp.example/a/b";
  for (
    const resource of [
      url,
      "https://mcp.example/a",
      "https://mcp.example/a/",
      "https://mcp.example",
      "https://mcp.example/",
      "https://MCP.example:443/a",
    ]
  ) {
    assertEquals(coversUrl(resource, url), true, resource);
  }
  const refused = [
    "https://mcp.example/a/b/",
    "https://mcp.example/a/b/c",
    "https://mcp.example/a/bb",
    "https://mcp.example/aa",
    "https://mcp.example/A",
    "https://mcp.example/a?x",
    "http://mcp.example/a",
    "https://mcp.example:8443/a",
    "https://evil.example/a",
    "https://mcp.example/x/../y",
    "x",
  ];
  for (const resource of refused) assertEquals(coversUrl(resource, url), false, resource);
  assertEquals(coversUrl("https://mcp.example/a?x=1", "https://mcp.example/a/b?x=1"), true);
  assertEquals(coversUrl("https://mcp.example/a", "https://mcp.example/a?x=1"), false);
  assertEquals(coversUrl("https://mcp.example/a", "https://mcp.example/a/%2e%2e/b"), false);
  assertEquals(coversUrl("https://mcp.example", "https://mcp.example/"), true);
});
