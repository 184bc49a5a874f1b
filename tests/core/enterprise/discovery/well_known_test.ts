import { test } from "node:test";
import { assertEquals } from "@std/assert";
import {
  resourceMetadataUrls,
  serverMetadataUrls,
} from "../../../../core/enterprise/discovery/well_known.ts";

test("resourceMetadataUrls: before the path, then at the root; verbatim", () => {
  const root = "https://MCP.example/.well-known/oauth-protected-resource";
  assertEquals(resourceMetadataUrls("https://MCP.example/a/b"), [`${root}/a/b`, root]);
  assertEquals(resourceMetadataUrls("https://MCP.example/a/"), [`${root}/a/`, root]);
  assertEquals(resourceMetadataUrls("https://MCP.example/a?x=%2f"), [`${root}/a?x=%2f`, root]);
  assertEquals(resourceMetadataUrls("https://MCP.example?x"), [`${root}?x`, root]);
  assertEquals(resourceMetadataUrls("https://MCP.example"), [root]);
  assertEquals(resourceMetadataUrls("https://MCP.example/"), [root]);
  assertEquals(resourceMetadataUrls("mcp.example"), []);
});

test("serverMetadataUrls: RFC 8414, then OpenID Connect inserted, then appended", () => {
  const origin = "https://idp.example:8443";
  for (const issuer of [`${origin}/realms/a`, `${origin}/realms/a/`]) {
    assertEquals(serverMetadataUrls(issuer), [
      `${origin}/.well-known/oauth-authorization-server/realms/a`,
      `${origin}/.well-known/openid-configuration/realms/a`,
      `${origin}/realms/a/.well-known/openid-configuration`,
    ]);
  }
  for (const issuer of [origin, `${origin}/`]) {
    assertEquals(serverMetadataUrls(issuer), [
      `${origin}/.well-known/oauth-authorization-server`,
      `${origin}/.well-known/openid-configuration`,
    ]);
  }
  assertEquals(serverMetadataUrls(`${origin}/?a`), []);
});
