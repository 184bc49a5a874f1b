import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { dirname } from "node:path";
import { test } from "node:test";
import { withStdCli } from "../../../scripts/npm/std_cli.ts";

/** Runs with a folder whose configuration finds the module at `place`. */
async function bundled(place: string): Promise<ReadonlyMap<string, string>> {
  const stage = await Deno.realPath(await Deno.makeTempDir());
  try {
    await Deno.mkdir(dirname(`${stage}/${place}`), { recursive: true });
    await Deno.writeTextFile(`${stage}/${place}`, "export const parseArgs = (): string => 'parsed';\n");
    const imports = { "@std/cli/parse-args": `./${place}` };
    await Deno.writeTextFile(`${stage}/deno.json`, JSON.stringify({ imports }));
    const files = [
      {
        path: "adapters/cli/flags.js",
        text: 'import { parseArgs } from "@std/cli/parse-args";\nparseArgs();\n',
      },
      { path: "mod.js", text: 'export const x = "@std/cli";\nawait import("@std/cli/parse-args");\n' },
      { path: "std/own.js", text: 'import "@std/cli/parse-args";\n' },
    ];
    return new Map((await withStdCli(files, stage)).map(({ path, text }) => [path, text]));
  } finally {
    await Deno.remove(stage, { recursive: true });
  }
}

test("each module that is used is one file, which whoever uses it imports", async () => {
  const files = await bundled("stand_in/parse_args.ts");
  assertEquals([...files.keys()], ["adapters/cli/flags.js", "mod.js", "std/own.js", "std/parse_args.js"]);
  assertStringIncludes(files.get("adapters/cli/flags.js") ?? "", 'from "../../std/parse_args.js"');
  assertStringIncludes(files.get("mod.js") ?? "", 'await import("./std/parse_args.js")');
  assertStringIncludes(files.get("std/own.js") ?? "", 'import "./parse_args.js"');
  const bundle = files.get("std/parse_args.js") ?? "";
  assert(bundle.startsWith("// In place of @std/cli/parse-args: a stand-in of this package.\n"), bundle);
  const module = await import(`data:text/javascript,${encodeURIComponent(bundle)}`);
  assertEquals(module.parseArgs(), "parsed");
});

test("that of JSR is named with its version, under its licence", async () => {
  const bundle = (await bundled("registry/@std/cli/1.0.23/parse_args.ts")).get("std/parse_args.js") ?? "";
  assert(bundle.startsWith("/*! @std/cli/parse-args 1.0.23, from JSR.\n"), bundle);
  assertStringIncludes(bundle, "Permission is hereby granted");
});

test("what cannot be found is an error", async () => {
  const stage = await Deno.makeTempDir();
  try {
    await Deno.writeTextFile(`${stage}/deno.json`, "{}");
    const failed = await withStdCli([{ path: "a.js", text: 'import "@std/cli/parse-args";\n' }], stage)
      .then(() => "", String);
    assertStringIncludes(failed, 'Cannot bundle "@std/cli/parse-args"');
  } finally {
    await Deno.remove(stage, { recursive: true });
  }
});
