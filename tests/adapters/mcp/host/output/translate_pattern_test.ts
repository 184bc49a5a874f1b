import { assert, assertEquals } from "@std/assert";
import { test } from "node:test";
import { RE2JS } from "re2js";
import { translatePattern } from "../../../../../adapters/mcp/host/output/translate_pattern.ts";

const PATTERNS: readonly string[] = [
  "^a$",
  "^.$",
  "^[\\s\\S]$",
  "^[^]$",
  "^\\s$",
  "^\\S$",
  "^[\\s,]$",
  "^[^\\s]$",
  "^\\d{2,}$",
  "^[\\w.+-]+@[\\w-]+\\.[a-z]{2,6}$",
  "^(?:a|b)*?$",
  "^(?<year>\\d{4})-\\d\\d$",
  "^\\u00e9$",
  "^\\u{1F600}$",
  "^\\uD83D\\uDE00$",
  "^\\x41\\/\\cA?$",
  "[[]",
  "^[\\b]$",
  "^\\p{L}+$",
  "^\\P{L}$",
  "\\ba\\b",
  "^[\\-\\]]$",
  "",
];
const TEXTS: readonly string[] = [
  "",
  "a",
  "a\n",
  "\n",
  "\r",
  "\u2028",
  "\u00a0",
  "\ufeff",
  "\v",
  "12",
  "é",
  "😀",
  "A/",
  "[",
  "]",
  "-",
  "\b",
  ",",
  "x.y@z.org",
  "abab",
  "2024-01",
  "a b",
];

test("a pattern means what it means in ECMAScript", () => {
  for (const pattern of PATTERNS) {
    const translated = translatePattern(pattern);
    assert(translated !== null, pattern);
    const program = RE2JS.compile(translated.source);
    for (const text of TEXTS) {
      const expected = new RegExp(pattern, "u").test(text);
      assertEquals(program.matcher(text).find(), expected, `${pattern} and ${JSON.stringify(text)}`);
    }
  }
});

test("what is no pattern, cannot be told in linear time or would be large is none", () => {
  const refused = [
    "(",
    "(?=a)",
    "(?<!a)",
    "(a)\\1",
    "(?<n>a)\\k<n>",
    "[\\S,]",
    "[]",
    "\\A",
    "(a{1,100}){1,100}",
    "((a{10}){11}){10}",
    "\\p{L}{500}",
    "a{1001}",
    "a".repeat(1_001),
  ];
  for (const pattern of refused) assertEquals(translatePattern(pattern), null, pattern);
});
