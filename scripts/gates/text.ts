/**
 * Gate: words that must not stand in the repository. What is looked for is put together from parts here, so that
 * this file does not find itself.
 *
 * @module
 */

import type { Finding } from "./finding.ts";
import { blank } from "./source_text.ts";
import { lineAt, listFiles, readText } from "./tree.ts";

interface Rule {
  readonly pattern: RegExp;
  readonly what: string;
  readonly fix: string;
  /** Where it is looked for: in the whole text, without comments, or without comments and strings. */
  readonly within: "text" | "code" | "words";
}

const FOLDERS: readonly string[] = [
  "mod.ts",
  "core",
  "adapters",
  "examples",
  "scripts",
  "tests",
  "docs",
  "README.md",
  "CONTRIBUTING.md",
  "SECURITY.md",
  "CHANGELOG.md",
  "deno.json",
  ".ci",
];

/** Checks the texts of the tree at `root`. */
export function checkText(root: string): Finding[] {
  const rules = rulesFor(root);
  return listFiles(root, FOLDERS).filter((path) => !path.includes("/fixtures/")).flatMap((path) => {
    const text = readText(root, path);
    const isCode = /\.tsx?$/.test(path);
    const views = {
      text,
      code: isCode ? blank(text, { strings: false }) : "",
      words: isCode ? blank(text, { strings: true }) : "",
    };
    return rules.flatMap(({ pattern, what, fix, within }) =>
      [...views[within].matchAll(pattern)].map((match) => ({
        where: `${path}:${lineAt(text, match.index)}`,
        what: `${what}: ${match[0].trim()}`,
        fix,
      }))
    );
  });
}

function rulesFor(root: string): Rule[] {
  const hosts = [
    "npmjs[.](?:org|com)",
    "jsr[.]io",
    "yarnpkg[.]com",
    "npmmirror[.]com",
    "pypi[.]org",
    "crates[.]io",
  ];
  const places = [root, ...["main", "scratch", "shared"].map((name) => `/work/${name}`)];
  const escaped = places.filter((place) => place.length > 5).map((place) =>
    place.replace(/[.*+?^${}()|[\]\\]/g, "\\$&")
  );
  return [
    {
      pattern: new RegExp(`(?:[\\w-]+[.])*(?:${hosts.join("|")})`, "g"),
      what: "names a registry host",
      fix: "name the package only",
      within: "text",
    },
    {
      pattern: new RegExp(`(?:${escaped.join("|")})(?![\\w-])`, "g"),
      what: "names a path of one machine",
      fix: "use import.meta.url or CODEX_MCP_REPOSITORY",
      within: "text",
    },
    {
      pattern: new RegExp(`@ts-(?:${["ignore", "expect-error", "nocheck"].join("|")})`, "g"),
      what: "silences the type checker",
      fix: "give it the type it needs",
      within: "text",
    },
    {
      pattern: new RegExp(`\\b(?:${["TO" + "DO", "FIX" + "ME", "XX" + "X"].join("|")})\\b`, "g"),
      what: "leaves work behind",
      fix: "do it now",
      within: "text",
    },
    {
      pattern: /(?:[:<|,]\s*|\bas\s+|=>\s*)any\b(?!\s*[:(])/g,
      what: "uses the type that switches types off",
      fix: "use unknown and narrow it",
      within: "words",
    },
    {
      pattern: /\.(?:only|skip|todo)\s*\(|\b(?:only|skip|todo|ignore)\s*:\s*true\b/g,
      what: "leaves tests out",
      fix: "run every test",
      within: "words",
    },
    {
      pattern: /\bcatch\s*(?:\([^)]*\))?\s*\{\s*\}/g,
      what: "swallows an error",
      fix: "handle it, or say why it may be dropped by returning a value",
      within: "words",
    },
    { pattern: /\bDeno\.test\b/g, what: "is bound to one runner", fix: "use node:test", within: "words" },
  ];
}
