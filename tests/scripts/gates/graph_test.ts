import { assertEquals } from "@std/assert";
import { test } from "node:test";
import { checkGraph } from "../../../scripts/gates/graph.ts";
import { findingsIn, GOOD_TREE, lines, source } from "./_seed.ts";

test("graph gate: a tree that keeps its borders passes", async () => {
  assertEquals(await findingsIn(checkGraph), []);
});

const CASES: readonly (readonly [string, string, string])[] = [
  [
    "core/bad.ts",
    'import { pid } from "node:process";',
    'core/ imports something else than core/: "node:process"',
  ],
  [
    "core/bad.ts",
    'import type { X } from "../adapters/deno/mod.ts";',
    'core/ imports something else than core/: "../adapters/deno/mod.ts"',
  ],
  [
    "adapters/deno/bad.ts",
    'import { x } from "../node/process.ts";',
    'an adapter of deno imports one of node: "../node/process.ts"',
  ],
  [
    "adapters/node/bad.ts",
    'import { x } from "../deno/mod.ts";',
    'an adapter of node imports one of deno: "../deno/mod.ts"',
  ],
  [
    "adapters/sandbox/bad.ts",
    'import { x } from "../deno/_private.ts";',
    'a private file of another folder is imported: "../deno/_private.ts"',
  ],
  [
    "adapters/sandbox/bad.ts",
    'export { x } from "../../scripts/x.ts";',
    'the package imports what is never published: "../../scripts/x.ts"',
  ],
  [
    "adapters/mcp/bad.ts",
    'import { Client } from "@modelcontextprotocol/client";',
    'adapters/mcp needs a package at run time: "@modelcontextprotocol/client"',
  ],
  [
    "examples/servers/bad.ts",
    'import { x } from "../../adapters/deno/mod.ts";',
    'an example imports what is not published by that name: "../../adapters/deno/mod.ts"',
  ],
  [
    "tests/core/bad_test.ts",
    'import {\n  assert,\n} from "../../scripts/std/assert/mod.ts";',
    'a stand-in is imported by its path: "../../scripts/std/assert/mod.ts"',
  ],
];

for (const [path, code, what] of CASES) {
  test(`graph gate: in ${path}, ${what}`, async () => {
    assertEquals(lines(await findingsIn(checkGraph, { [path]: source(`${code}\n`) })), [`${path}:7 ${what}`]);
  });
}

test("graph gate: a type of a package may be named by adapters/mcp", async () => {
  const good = source('import { type A, type B } from "@modelcontextprotocol/client";\n');
  assertEquals(await findingsIn(checkGraph, { "adapters/mcp/good.ts": good }), []);
});

test("graph gate: what an entry reaches through others counts", async () => {
  const findings = await findingsIn(checkGraph, {
    "core/sandbox/mod.ts": source(
      'export { double } from "./double.ts";\nimport "../../adapters/deno/mod.ts";\n',
    ),
  });
  assertEquals(lines(findings).filter((line) => line.includes("reaches")), [
    './mod.ts "." reaches adapters/deno/mod.ts',
    './mod.ts "." reaches adapters/deno/process_id.ts',
    './core/sandbox/mod.ts "./sandbox" reaches adapters/deno/mod.ts',
    './core/sandbox/mod.ts "./sandbox" reaches adapters/deno/process_id.ts',
  ]);
});

test("graph gate: authors of servers reach no client, and adapters/mcp/host may", async () => {
  const client = 'import { Client } from "@modelcontextprotocol/client";\n';
  const files = {
    "deno.json": (GOOD_TREE["deno.json"] ?? "").replace(
      '"imports":{}',
      '"imports":{"@modelcontextprotocol/client":"npm:@modelcontextprotocol/client@^2.4.0"}',
    ),
    "adapters/mcp/host/client.ts": source(`${client}export const name = Client.name;\n`),
  };
  assertEquals(await findingsIn(checkGraph, files), []);
  const findings = await findingsIn(checkGraph, {
    ...files,
    "adapters/deno/mod.ts": source('export { name } from "../mcp/host/client.ts";\n'),
  });
  assertEquals(lines(findings).map((line) => line.replace(/@\d.*/, "")), [
    './adapters/deno/mod.ts "./deno" reaches npm:/@modelcontextprotocol/client',
  ]);
});

test("graph gate: the client of Redis is reached by its own key alone, also when it is loaded later", async () => {
  const redis =
    'import type { RedisClientType } from "@redis/client";\nexport type Name = RedisClientType;\n';
  const load = 'export const load = (): Promise<unknown> => import("@redis/client");\n';
  const deno = GOOD_TREE["deno.json"] ?? "";
  const files = {
    "deno.json": deno.replace('"imports":{}', '"imports":{"@redis/client":"npm:@redis/client@^6"}')
      .replace('"exports":{', '"exports":{"./redis":"./adapters/redis/mod.ts",'),
    "adapters/redis/mod.ts": source(`${redis}${load}`),
  };
  assertEquals(await findingsIn(checkGraph, files), []);
  const findings = await findingsIn(checkGraph, {
    ...files,
    "adapters/deno/mod.ts": source('export { load } from "../redis/mod.ts";\n'),
  });
  assertEquals(lines(findings).map((line) => line.replace(/@\d.*/, "")), [
    './adapters/deno/mod.ts "./deno" reaches npm:/@redis/client',
  ]);
});

test("graph gate: an import that leads nowhere is found", async () => {
  const findings = await findingsIn(checkGraph, {
    "adapters/deno/mod.ts": source('export { x } from "./gone.ts";\n'),
  });
  assertEquals(findings.map(({ where }) => where), ["adapters/deno/gone.ts"]);
});
