import { test } from "node:test";
import { assertEquals } from "@std/assert";
import fc from "fast-check";
import { stringify } from "smol-toml";
import { indexLines, lineOf } from "../../../adapters/configuration/line_index.ts";

const TOML = `# who uses what
[mcp_servers.files]
command = "mcp-files"
args = [
  "--root",
  "/srv", # the data
]
env = { TOKEN = "x", OTHER = "y" }

[mcp_servers."odd name".http_headers]
A = "b"

[mcp_servers."odd name"]
url = '''
https://x.example'''
oauth.client_id = "c"
`;

test("lineOf: TOML, also where a field is missing", () => {
  const lines: readonly (readonly [string, number | null])[] = [
    ["mcp_servers", 2],
    ["mcp_servers/files", 2],
    ["mcp_servers/files/command", 3],
    ["mcp_servers/files/args/1", 6],
    ["mcp_servers/files/args/9", 4],
    ["mcp_servers/files/env/OTHER", 8],
    ["mcp_servers/files/url", 2],
    ["mcp_servers/odd name", 13],
    ["mcp_servers/odd name/http_headers/A", 11],
    ["mcp_servers/odd name/url", 14],
    ["mcp_servers/odd name/oauth/client_id", 16],
    ["mcp_servers/odd name/oauth/scopes", 16],
    ["features/use_xaa", null],
    ["", null],
  ];
  for (const [path, line] of lines) {
    assertEquals(lineOf(TOML, path === "" ? [] : path.split("/"), { format: "toml" }), line, path);
  }
});

test("lineOf: JSON with comments, lines of any system", () => {
  const json =
    '\ufeff{\r\n  // "a": {"b": 1}\r\n  "a": {\r\n    "b": [ /* x,\r\n y */ 1,\r\n      {"c": 2}\r\n    ],\r\n  }\r\n}';
  const line = (...path: string[]): number | null => lineOf(json, path, { format: "json" });
  assertEquals([
    line("a"),
    line("a", "b"),
    line("a", "b", "0"),
    line("a", "b", "1", "c"),
    line("a", "x"),
    line("z"),
  ], [
    3,
    4,
    5,
    6,
    3,
    null,
  ]);
});

test("lineOf: of two members with one name the last counts, as JSON is read", () => {
  assertEquals(lineOf('{"a": 1,\n"a": 2}', ["a"], { format: "json" }), 2);
});

/** Texts that look like files, and anything else. */
const anyFile = fc.oneof(
  fc.string({ unit: "binary" }),
  fc.array(
    fc.constantFrom(
      "[",
      "]",
      "{",
      "}",
      '"',
      "'",
      '"""',
      "'''",
      "=",
      ":",
      ",",
      ".",
      "\\",
      "#",
      "//",
      "/*",
      "\n",
      "a",
      "b",
      " ",
      "1",
    ),
  )
    .map((parts) => parts.join("")),
);

test("indexLines: never throws, whatever the text is, and gives lines of it", () => {
  fc.assert(
    fc.property(anyFile, fc.constantFrom("toml" as const, "json" as const), (text, format) => {
      const line = indexLines({ text, format }).lineOf(["a"]);
      assertEquals(line === null || line >= 1 && line <= text.split("\n").length, true);
    }),
    { numRuns: 2000 },
  );
});

const anyTable = fc.dictionary(
  fc.string({ unit: "grapheme" }),
  fc.oneof(fc.string(), fc.integer(), fc.boolean(), fc.array(fc.string())),
);

test("indexLines: every key of what is written in TOML is found, on its line", () => {
  fc.assert(fc.property(fc.dictionary(fc.string({ unit: "grapheme" }), anyTable), (values) => {
    const text = stringify(values);
    const index = indexLines({ text, format: "toml" });
    const lines = text.split("\n");
    for (const [name, table] of Object.entries(values)) {
      for (const key of Object.keys(table)) {
        const line = lines[(index.lineOf([name, key]) ?? 0) - 1] ?? "";
        assertEquals(line.startsWith(key) || line.startsWith(`"`), true, JSON.stringify([text, name, key]));
      }
    }
  }));
});

test("indexLines: every member of what is written in JSON is found, on its line", () => {
  fc.assert(fc.property(fc.dictionary(fc.string({ unit: "binary" }), anyTable), (values) => {
    const text = JSON.stringify(values, null, 1);
    const index = indexLines({ text, format: "json" });
    const lines = text.split("\n");
    for (const [name, table] of Object.entries(values)) {
      for (const key of Object.keys(table)) {
        const line = lines[(index.lineOf([name, key]) ?? 0) - 1] ?? "";
        assertEquals(line.startsWith(`  ${JSON.stringify(key)}:`), true, JSON.stringify([text, name, key]));
      }
    }
  }));
});

test("indexLines: long and deep texts take their length in time", () => {
  const size = 200_000;
  const texts = [
    "[".repeat(size),
    "{a=".repeat(size),
    `x = {${"a.".repeat(size)}`,
    `[${"a.".repeat(size)}b]`,
    `${"a.".repeat(size)}b = 1`,
    `x = """${'\\"'.repeat(size)}`,
    `x = """${'"a'.repeat(size)}`,
    "[[a]]\n".repeat(size / 10),
    '{"a":'.repeat(size),
    "\n".repeat(size),
    "#".repeat(size),
    "/*".repeat(size),
    ", ".repeat(size),
    `"${"a".repeat(size)}`,
  ];
  for (const text of texts) {
    for (const format of ["toml", "json"] as const) {
      const start = performance.now();
      indexLines({ text, format });
      assertEquals(performance.now() - start < 10_000, true, text.slice(0, 20));
    }
  }
});
