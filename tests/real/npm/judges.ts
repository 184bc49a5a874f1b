/**
 * The npm package before those who judge packages: `publint`, `@arethetypeswrong/cli` and the TypeScript compiler,
 * each in the version of `scripts/toolchain.json`. `install_test.ts` runs these tests with its installation.
 *
 * @module
 */

import { assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
import { dirname } from "node:path";
import { test } from "node:test";
import { run } from "../../../scripts/command.ts";
import { findNode } from "../../../scripts/suites/node_binaries.ts";
import { type Installation, judge, KEYS, specifierOf } from "./installation.ts";

const LIMIT = { timeout: 180_000 };

const CONSUMER = `${
  Object.keys(KEYS).map((key, index) => `import * as k${index} from "${specifierOf(key)}";`).join("\n")
}
import { buildCallMeta, SandboxError, type SandboxErrorCode } from "@codex-mcp/runtime";
import { resultOf, withAuthority } from "@codex-mcp/runtime/mcp";
import { createSandboxRunner } from "@codex-mcp/runtime/node";

export const modules = [${Object.keys(KEYS).map((_, index) => `k${index}`).join(", ")}];
export const meta = buildCallMeta({ meta: {}, capabilities: {}, state: undefined, launcher: undefined });
const runner = createSandboxRunner();
export const tool = withAuthority(async ({ command }: { readonly command: readonly string[] }, authority) =>
    resultOf(await runner.run(authority, command)),
  { transport: "stdio" },
);

// a type that was lost on the way would be any, which takes everything
type Closed = string extends SandboxErrorCode ? never : true;
export const closed: Closed = true;

export function codeOf(error: unknown): SandboxErrorCode | "none" {
  return error instanceof SandboxError ? error.code : "none";
}
`;

/** Adds the tests of the package that `installed` gives while they run. */
export function testJudges(installed: () => Installation): void {
  test("publint finds nothing, suggestions included", LIMIT, async () => {
    const { program } = await findNode("22");
    const args = [`${await judge("publint")}/src/cli.js`, "run", "--strict", installed().tarball];
    const result = await run(program, args, { directory: installed().folder });
    assertEquals(result.code, 0, result.output);
    assertStringIncludes(result.output, "All good!");
  });

  // There is no CommonJS: Node from 20.19 on can require() a module, and before that import() is what there is.
  test("arethetypeswrong finds nothing, for a package of modules alone", LIMIT, async () => {
    const { program } = await findNode("22");
    const args = [
      `${await judge("@arethetypeswrong/cli")}/dist/index.js`,
      "--profile",
      "esm-only",
      "--format",
      "json",
    ];
    const result = await run(program, [...args, installed().tarball], {
      directory: installed().folder,
    });
    assertEquals(result.code, 0, result.output.slice(-4000));
    const { analysis } = JSON.parse(result.stdout);
    assertEquals(
      Object.keys(analysis.entrypoints).filter((key) => key !== "./package.json"),
      Object.keys(KEYS),
    );
    for (const key of Object.keys(KEYS)) {
      for (const kind of ["node16-esm", "bundler"]) {
        assertMatch(
          analysis.entrypoints[key].resolutions[kind].resolution?.fileName,
          /\.d\.ts$/,
          `${key} ${kind}`,
        );
      }
    }
  });

  for (const [module, moduleResolution] of [["nodenext", "nodenext"], ["esnext", "bundler"]] as const) {
    test(`a strict consumer is compiled under ${moduleResolution}, declarations checked`, LIMIT, async () => {
      const [typescript, types, node] = await Promise.all([
        judge("typescript"),
        judge("@types/node"),
        findNode("22"),
      ]);
      const project = `${installed().folder}/tsconfig.${moduleResolution}.json`;
      const compilerOptions = {
        module,
        moduleResolution,
        target: "es2022",
        lib: ["es2022"],
        strict: true,
        noUncheckedIndexedAccess: true,
        exactOptionalPropertyTypes: true,
        skipLibCheck: false,
        noEmit: true,
        typeRoots: [dirname(types)],
        types: ["node"],
      };
      await Deno.writeTextFile(project, JSON.stringify({ compilerOptions, files: ["consumer.ts"] }));
      await Deno.writeTextFile(`${installed().folder}/consumer.ts`, CONSUMER);
      const result = await run(node.program, [`${typescript}/lib/tsc.js`, "--project", project], {
        directory: installed().folder,
      });
      assertEquals([result.code, result.output], [0, ""]);
    });
  }
}
