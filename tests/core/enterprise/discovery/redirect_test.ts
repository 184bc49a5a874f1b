import { test } from "node:test";
import { assertEquals } from "@std/assert";
import {
  challengeMetadataUrl,
  MAX_METADATA_REDIRECTS,
  redirectTarget,
} from "../../../../core/enterprise/discovery/redirect.ts";

const from = "https://mcp.example/.well-known/oauth-protected-resource/a";

test("redirectTarget: at most three, on the same origin", () => {
  const to = (location: string | null, followed = 0) => redirectTarget({ from, location, followed });
  assertEquals(to("/elsewhere"), "https://mcp.example/elsewhere");
  assertEquals(to("b"), "https://mcp.example/.well-known/oauth-protected-resource/b");
  assertEquals(to("https://mcp.example:443/x#y"), "https://mcp.example/x");
  assertEquals(to("/x", MAX_METADATA_REDIRECTS - 1), "https://mcp.example/x");
  assertEquals(to("/x", MAX_METADATA_REDIRECTS), null);
  const refused = [
    null,
    "//evil.example/x",
    "https://evil.example",
    "http://mcp.example/x",
    "https://mcp.example:8443",
    "https://u@mcp.example/x",
    "data:,x",
    "https://[",
  ];
  for (const location of refused) assertEquals(to(location), null, `${location}`);
});

test("challengeMetadataUrl: an absolute URL on the origin of the server", () => {
  const url = "https://mcp.example/mcp";
  assertEquals(challengeMetadataUrl(url, "https://mcp.example/meta?x"), "https://mcp.example/meta?x");
  for (
    const wrong of [
      "/meta",
      "https://evil.example/meta",
      "http://mcp.example/meta",
      "https://a@mcp.example",
      7,
      undefined,
    ]
  ) {
    assertEquals(challengeMetadataUrl(url, wrong), null);
  }
});
