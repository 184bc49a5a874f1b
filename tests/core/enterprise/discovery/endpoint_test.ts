import { test } from "node:test";
import { assertEquals } from "@std/assert";
import { type EndpointOptions, readEndpoint } from "../../../../core/enterprise/discovery/endpoint.ts";

const options: EndpointOptions = {
  name: "token_endpoint",
  exact: null,
  issuer: "https://as.example/a",
  anchor: "https://mcp.example",
};

function read(token_endpoint: unknown, more: Partial<EndpointOptions> = {}): string | null {
  const document = token_endpoint === undefined ? {} : { token_endpoint };
  const verdict = readEndpoint(document, { ...options, ...more });
  return verdict.accepted ? verdict.value : verdict.refusal.reason;
}

test("readEndpoint: on the issuer's origin, exactly as configured, or anywhere", () => {
  const url = "https://other.example/t";
  assertEquals(read("https://as.example/t"), "https://as.example/t");
  assertEquals(read("https://as.example:443/t"), "https://as.example:443/t");
  assertEquals([read(url), read(url, { exact: url }), read(url, { exact: undefined })], [
    "endpoint-off-origin",
    url,
    url,
  ]);
  assertEquals(read("https://as.example/t", { exact: url }), "endpoint-moved");
  assertEquals([read(undefined), read(undefined, { exact: url })], [null, url]);
  assertEquals([read(""), read(null), read("http://as.example/t")], [
    "endpoint-unusable",
    "endpoint-malformed",
    "endpoint-unusable",
  ]);
});
