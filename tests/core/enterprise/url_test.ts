import { test } from "node:test";
import { assertEquals } from "@std/assert";
import { isSameOrigin, issuerFlaw, quoteUrl, urlFlaw, urlFlawText } from "../../../core/enterprise/url.ts";

test("urlFlaw: configured URLs are https, or http on plain loopback", () => {
  const accepted = [
    "https://mcp.example",
    "https://mcp.example:8443/a/b?c=d",
    "https://10.0.0.7/mcp",
    "http://localhost:8080/mcp",
    "http://127.0.0.1:1/",
    "http://127.9.8.7",
    "http://[::1]:8080",
    "HTTPS://MCP.example",
  ];
  for (const url of accepted) assertEquals(urlFlaw(url), null, url);
  const refused = {
    "http://mcp.example": "scheme",
    "http://10.0.0.7/mcp": "scheme",
    "http://localhost.example": "scheme",
    "http://a.localhost": "scheme",
    "http://localhost.": "scheme",
    "http://[::ffff:127.0.0.1]": "scheme",
    "http://0.0.0.0": "scheme",
    "ftp://mcp.example": "scheme",
    "https://user@mcp.example": "userinfo",
    "https://user:pw@mcp.example": "userinfo",
    "https://@mcp.example": "userinfo",
    "https://mcp.example#": "fragment",
    "https://mcp.example/a#b": "fragment",
    "https:/mcp.example": "malformed",
    "https:mcp.example": "malformed",
    "//mcp.example": "malformed",
    "https://mcp.example\\@evil.example": "malformed",
    " https://mcp.example": "malformed",
    "https://mcp.exa\tmple": "malformed",
    "https://mcp.example/\n": "malformed",
    "https://bücher.example": "malformed",
    "https://": "malformed",
    "https://mcp.example:99999": "malformed",
    "data:text/plain,x": "malformed",
    "": "malformed",
  };
  for (const [url, flaw] of Object.entries(refused)) assertEquals(urlFlaw(url), flaw, url);
  const long = `https://mcp.example/${"a".repeat(4096 - "https://mcp.example/".length)}`;
  assertEquals([urlFlaw(long), urlFlaw(`${long}a`)], [null, "malformed"]);
});

test("urlFlaw: a document from elsewhere never leads to loopback, link-local or unspecified addresses", () => {
  const anchor = "https://mcp.example/mcp";
  const inside = [
    "https://localhost/token",
    "http://localhost/token",
    "https://127.0.0.1",
    "https://127.1",
    "https://2130706433",
    "https://0x7f.1",
    "https://[::1]",
    "https://[::ffff:127.0.0.1]",
    "https://[::127.0.0.1]",
    "https://[64:ff9b::7f00:1]",
    "https://a.localhost",
    "https://localhost.",
    "https://169.254.169.254/latest",
    "https://[fe80::1]",
    "https://[febf::1]",
    "https://[::ffff:169.254.1.1]",
    "https://0.0.0.0",
    "https://0",
    "https://[::]",
  ];
  for (const url of inside) assertEquals(urlFlaw(url, { anchor }), "address", url);
  for (const url of ["https://as.example", "https://10.0.0.7", "https://[fec0::1]", "https://128.0.0.1"]) {
    assertEquals(urlFlaw(url, { anchor }), null, url);
  }
  assertEquals(urlFlaw("http://as.example", { anchor }), "scheme");
});

test("urlFlaw: a configured loopback URL may lead to loopback, and nowhere else inside", () => {
  for (const anchor of ["http://localhost:8080/mcp", "http://127.0.0.1/", "https://[::1]/"]) {
    assertEquals(urlFlaw("http://127.0.0.1:9/token", { anchor }), null);
    assertEquals(urlFlaw("https://localhost/token", { anchor }), null);
    assertEquals(urlFlaw("http://169.254.169.254/", { anchor }), "address");
    assertEquals(urlFlaw("http://0.0.0.0/", { anchor }), "address");
    assertEquals(urlFlaw("http://as.example/", { anchor }), "scheme");
    assertEquals(urlFlaw("https://as.example/", { anchor }), null);
  }
});

test("issuerFlaw: no query either", () => {
  assertEquals(issuerFlaw("https://idp.example/?"), "query");
  assertEquals(issuerFlaw("https://idp.example/realms/a/"), null);
});

test("isSameOrigin: scheme, host and port; default ports are the same", () => {
  assertEquals(isSameOrigin("https://a.example/x", "https://A.example:443/y?z"), true);
  for (const other of ["http://a.example", "https://a.example:8443", "https://b.a.example", "x"]) {
    assertEquals(isSameOrigin("https://a.example", other), false);
  }
});

test("quoteUrl, urlFlawText: neither query nor user name gets into a message", () => {
  assertEquals(quoteUrl("https://a.example/b?token=s3cret#c"), '"https://a.example/b"');
  assertEquals(quoteUrl("https://me:s3cret@a.example/b"), '"a URL with a user name"');
  for (const flaw of ["malformed", "scheme", "userinfo", "fragment", "query", "address"] as const) {
    assertEquals(urlFlawText(flaw).length > 10, true);
  }
});
