import { test } from "node:test";
import { assertEquals } from "@std/assert";
import fc from "fast-check";
import { parseConfiguration } from "../../../adapters/configuration/configuration_text.ts";

test("parseConfiguration: TOML, with integers of any size and dates", async () => {
  const parsed = await parseConfiguration(
    '\ufeff# c\n[mcp_servers."a b"]\nenv.A = "x"\nn = 9223372036854775807\n',
  );
  assertEquals(parsed, {
    kind: "parsed",
    format: "toml",
    values: { mcp_servers: { "a b": { env: { A: "x" }, n: 9223372036854775807n } } },
  });
});

test("parseConfiguration: JSON by its first character, as other hosts write it", async () => {
  const text = '\ufeff// c\n{ "mcpServers": { "a": { "command": "x", }, }, }';
  assertEquals(await parseConfiguration(text), {
    kind: "parsed",
    format: "json",
    values: { mcpServers: { a: { command: "x" } } },
  });
  assertEquals((await parseConfiguration('{"a": 1}', { format: "toml" })).kind, "malformed");
  assertEquals((await parseConfiguration("[1]", { format: "json" })).kind, "malformed");
  assertEquals(await parseConfiguration(""), { kind: "parsed", format: "toml", values: {} });
});

test("parseConfiguration: a mistake by its line, and nothing of the text", async () => {
  const cases: readonly (readonly [string, "toml" | "json", number])[] = [
    ['a = 1\nb = "secret-7\n', "toml", 2],
    ["a = 1\na = 2", "toml", 2],
    ["[a]\nb = secret-7", "toml", 2],
    ['{\n "a": secret-7\n}', "json", 2],
    ['{\n "a": 1,\n "b": "secret-7', "json", 3],
    ["{} secret-7", "json", 1],
  ];
  for (const [text, format, line] of cases) {
    const parsed = await parseConfiguration(text);
    if (parsed.kind !== "malformed") throw new Error(`Not malformed: ${text}`);
    assertEquals({ format: parsed.format, line: parsed.line }, { format, line }, text);
    assertEquals(JSON.stringify(parsed).includes("secret"), false);
  }
});

test("parseConfiguration: awkward names are members of their own", async () => {
  for (
    const text of [
      '["__proto__"]\na = 1\n[constructor]\nb = 2',
      '{"__proto__": {"a": 1}, "constructor": {"b": 2}}',
    ]
  ) {
    const parsed = await parseConfiguration(text);
    assertEquals(parsed.kind === "parsed" && Object.keys(parsed.values as object), [
      "__proto__",
      "constructor",
    ]);
  }
});

test("parseConfiguration: never throws", async () => {
  const part = fc.constantFrom(
    "{",
    "}",
    "[",
    "]",
    '"',
    "'",
    "=",
    ":",
    ",",
    "a",
    "\n",
    "1",
    "#",
    "//",
    "\\",
    ".",
    "\0",
  );
  const text = fc.oneof(fc.string({ unit: "binary" }), fc.array(part).map((parts) => parts.join("")));
  await fc.assert(
    fc.asyncProperty(text, async (one) => {
      const parsed = await parseConfiguration(one);
      if (parsed.kind === "malformed" && parsed.line !== null) {
        assertEquals(parsed.line >= 1 && parsed.line <= one.split("\n").length, true);
      }
    }),
    { numRuns: 1000 },
  );
  for (
    const deep of [
      "[".repeat(50_000),
      '{"a":'.repeat(50_000),
      `a = ${"[".repeat(50_000)}`,
      "{a=".repeat(50_000),
    ]
  ) {
    assertEquals((await parseConfiguration(deep)).kind, "malformed");
  }
});
