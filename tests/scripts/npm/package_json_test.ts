import { assertEquals, assertThrows } from "@std/assert";
import { test } from "node:test";
import { nodeExports, packageJson, type SourceConfig } from "../../../scripts/npm/package_json.ts";

const CONFIG: SourceConfig = {
  name: "@x/y",
  version: "1.2.3",
  license: "MIT",
  exports: {
    ".": "./mod.ts",
    "./deno": "./d.ts",
    "./deno/host": "./d/host.ts",
    "./denominator": "./n.ts",
    "./cli": "./c.ts",
  },
  imports: {
    "@modelcontextprotocol/client": "npm:@modelcontextprotocol/client@^2.4.0",
    "@redis/client": "npm:@redis/client@^6",
    "@std/cli": "jsr:@std/cli@^1",
    "jose": "npm:jose@^6",
    "smol-toml": "npm:smol-toml@^1",
    "zod": "npm:zod@^4",
  },
};

test("Node has every key but those of Deno, and a command line of its own", () => {
  assertEquals(nodeExports(CONFIG.exports), {
    ".": "./mod.ts",
    "./denominator": "./n.ts",
    "./cli": "./adapters/cli/node_main.ts",
  });
});

test("a package that is imported, or named to be imported later, is needed; one in a comment is not", () => {
  const files = [
    { path: "a.js", text: 'import * as toml from "smol-toml";\n// import "zod";\n' },
    {
      path: "b.js",
      text: 'const LATER = "@modelcontextprotocol/client/stdio";\nimport "node:fs";\nimport "./a.js";\n',
    },
    { path: "c.d.ts", text: '/** import "jose" */\nexport type { RedisClientType } from "@redis/client";\n' },
  ];
  const json = packageJson(CONFIG, files);
  assertEquals(json["dependencies"], { "smol-toml": "^1" });
  assertEquals(json["optionalDependencies"], { "@modelcontextprotocol/client": "^2.4.0" });
  assertEquals(json["peerDependencies"], { "@redis/client": "^6" });
  assertEquals(json["peerDependenciesMeta"], { "@redis/client": { optional: true } });
});

test("types stand first, and the program is the one that runs", () => {
  const json = packageJson(CONFIG, []);
  assertEquals(Object.entries((json["exports"] as Record<string, Record<string, string>>)["."] ?? {}), [
    ["types", "./mod.d.ts"],
    ["default", "./mod.js"],
  ]);
  assertEquals(json["bin"], { "codex-mcp": "adapters/cli/node_program.js" });
  assertEquals([json["name"], json["version"], json["license"], json["type"]], [
    "@x/y",
    "1.2.3",
    "MIT",
    "module",
  ]);
});

test("what npm does not have cannot be packed", () => {
  for (const specifier of ["@std/cli/parse-args", "@std/async", "left-pad"]) {
    assertThrows(
      () => packageJson(CONFIG, [{ path: "a.js", text: `import "${specifier}";\n` }]),
      Error,
      "Cannot pack a.js",
    );
  }
});
