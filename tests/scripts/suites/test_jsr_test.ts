import { assertEquals } from "@std/assert";
import { test } from "node:test";
import { withoutLinks } from "../../../scripts/suites/test_jsr.ts";

test("withoutLinks drops the links, keeps the imports and makes the package's own keys absolute", () => {
  const config = JSON.stringify({
    name: "@a/b",
    version: "1.0.0",
    exports: { ".": "./mod.ts", "./x": "./x/mod.ts" },
    imports: { "@std/assert": "jsr:@std/assert@^1" },
    links: ["./scripts/std/assert"],
    tasks: {},
    fmt: { lineWidth: 110 },
  });
  assertEquals(JSON.parse(withoutLinks(config, "/repository")), {
    imports: {
      "@std/assert": "jsr:@std/assert@^1",
      "@a/b": "file:///repository/mod.ts",
      "@a/b/x": "file:///repository/x/mod.ts",
    },
    fmt: { lineWidth: 110 },
  });
});
