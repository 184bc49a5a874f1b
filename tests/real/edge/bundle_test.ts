/**
 * The export keys for the edge, each as one bundle for browsers: nothing of Deno or Node is in it, its import touches
 * nothing outside the language, and the core works in a realm that has the web's names and no others.
 *
 * @module
 */

import { assert, assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
import { test } from "node:test";
import { createContext, runInContext } from "node:vm";
import config from "../../../deno.json" with { type: "json" };
import { runDeno } from "../../../scripts/command.ts";
import { blank } from "../../../scripts/gates/source_text.ts";

const ROOT = new URL("../../../", import.meta.url);
const KEYS = [".", "./sandbox", "./enterprise", "./http", "./http/tokens", "./http/sign-in"] as const;

/** Names of the language itself. */
const LANGUAGE: ReadonlySet<string> = new Set([
  "Array",
  "Error",
  "Map",
  "Object",
  "RegExp",
  "Set",
  "Symbol",
  "Uint8Array",
  "WeakMap",
  "WeakSet",
]);

/** What oauth4webapi looks at when it is loaded: no I/O, and the same in browsers, Workers and servers. */
const LIBRARY: ReadonlySet<string> = new Set(["TextDecoder", "TextEncoder", "URL", "navigator"]);

/** What a key exports, as a script that leaves it under the global name `runtime`. */
async function scriptOf(key: keyof typeof config.exports): Promise<string> {
  const folder = await Deno.makeTempDir();
  try {
    const entry = `${folder}/entry.ts`;
    const source = JSON.stringify(new URL(config.exports[key], ROOT).href);
    await Deno.writeTextFile(entry, `import * as all from ${source};\nglobalThis.runtime = all;\n`);
    const args = ["bundle", "--quiet", "--platform=browser", "--format=iife", "--config", "deno.json", entry];
    const { code, stdout, output } = await runDeno(args, { directory: ROOT.pathname });
    assertEquals(code, 0, output);
    return stdout;
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
}

/** Runs `script` with a global scope that takes down each name that is looked up in it. */
function namesAtImport(
  script: string,
): { readonly names: ReadonlySet<string>; readonly set: readonly string[] } {
  const names = new Set<string>();
  const own: Record<string, unknown> = {};
  const outside = globalThis as unknown as Readonly<Record<string, unknown>>;
  const scope: object = new Proxy(own, {
    has: (_target, name) => typeof name === "string",
    get: (_target, name) => {
      if (typeof name !== "string") return undefined;
      if (name === "globalThis") return scope;
      names.add(name);
      return own[name] ?? outside[name];
    },
  });
  new Function("scope", `with (scope) { ${script} }`)(scope);
  return { names, set: Object.keys(own) };
}

for (const key of KEYS) {
  test(`${key} in a bundle for browsers has nothing of a runtime in it, and touches nothing at import`, async () => {
    const script = await scriptOf(key);
    const bare = blank(script, { strings: true });
    assertMatch(bare, /globalThis\.runtime = /); // to its end
    assertEquals(bare.match(/\b(?:Deno|process|Buffer|require|importScripts)\b/g), null);
    assertEquals(/\bimport\s*\(|["']node:/.test(script), false);
    const { names, set } = namesAtImport(script);
    assertEquals(set, ["runtime"]);
    const allowed = key.startsWith("./http") ? LANGUAGE.union(LIBRARY) : LANGUAGE;
    assertEquals([...names].filter((name) => !allowed.has(name)), []);
  });
}

test("the core works in a realm without anything but the language, URL and TextEncoder", async () => {
  const realm = createContext({ URL, TextEncoder });
  runInContext(await scriptOf("."), realm);
  const text = runInContext(
    `
    const { captureAuthority, compareAuthority, planSandboxedCommand, SANDBOX_STATE_KEY, SANDBOX_LAUNCHER_KEY } = runtime;
    const stateText = '{"permissionProfile":{"type":"managed"},"big":9007199254740993}';
    const meta = {
      [SANDBOX_STATE_KEY]: JSON.parse(stateText),
      [SANDBOX_LAUNCHER_KEY]: { codexExecutable: "/opt/codex" },
    };
    const authority = captureAuthority(meta, { transport: "stdio", stateText });
    const plan = planSandboxedCommand(authority, ["true"], { platform: "linux" });
    let refused;
    try { planSandboxedCommand(captureAuthority({}), ["true"]); } catch ({ name, code }) { refused = [name, code]; }
    JSON.stringify({ plan, same: compareAuthority(authority, authority).same, refused, names: Object.keys(globalThis) });
  `,
    realm,
  );
  const { plan, same, refused, names } = JSON.parse(String(text));
  assertEquals(plan.executable, "/opt/codex");
  assertStringIncludes(plan.args.join(" "), '"big":9007199254740993');
  assert(same);
  assertEquals(refused, ["SandboxError", "STATE_MISSING"]);
  assertEquals(names.toSorted(), ["TextEncoder", "URL", "runtime"]);
});
