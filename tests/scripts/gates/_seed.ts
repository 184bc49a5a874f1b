/**
 * Makes a small tree in a temporary folder for a gate to look at: a good one, with files put over it.
 *
 * @module
 */

import type { Finding } from "../../../scripts/gates/finding.ts";

const HEADER = "/**\n * Decides something that a test of a gate needs.\n *\n * @module\n */\n\n";

const ERRORS = `${HEADER}/** Codes. */
export type ThingErrorCode = "THING_MISSING" | "THING_BROKEN";

/** Base. */
export abstract class CodexMcpError<Code extends string = string> extends Error {
  /** Code. */
  readonly code: Code;

  /** Creates it. */
  constructor(code: Code, message: string) {
    super(message);
    this.code = code;
  }
}

/** A thing is wrong. */
export class ThingError extends CodexMcpError<ThingErrorCode> {
  /** Name. */
  override readonly name = "ThingError";
}
`;

/** Files of a tree that every gate accepts. */
export const GOOD_TREE: Readonly<Record<string, string>> = {
  "deno.json": JSON.stringify({
    name: "@codex-mcp/seeded",
    version: "0.1.0",
    license: "Apache-2.0",
    exports: { ".": "./mod.ts", "./sandbox": "./core/sandbox/mod.ts", "./deno": "./adapters/deno/mod.ts" },
    imports: {},
    tasks: { test: "deno test" },
    publish: { include: ["mod.ts", "core", "adapters", "deno.json", "README.md", "LICENSE"] },
    compilerOptions: { strict: true },
  }),
  "mod.ts": `${HEADER}export { CodexMcpError, ThingError, type ThingErrorCode } from "./core/errors.ts";\n` +
    'export { double } from "./core/sandbox/mod.ts";\n',
  "core/errors.ts": ERRORS,
  "core/sandbox/mod.ts": `${HEADER}export { double } from "./double.ts";\n`,
  "core/sandbox/double.ts": `${HEADER}import { ThingError } from "../errors.ts";

/**
 * Twice the value.
 *
 * @throws {ThingError} \`THING_MISSING\` when it is zero.
 */
export function double(value: number): number {
  if (value === 0) throw new ThingError("THING_MISSING", "Cannot double 0: it is nothing");
  return 2 * value + new TextEncoder().encode("").length;
}
`,
  "adapters/deno/mod.ts": `${HEADER}export { processId } from "./process_id.ts";\n`,
  "adapters/deno/process_id.ts":
    `${HEADER}/** Id of this process. */\nexport function processId(): number {\n  return Deno.pid;\n}\n`,
  "tests/core/errors_test.ts": "export {};\n",
  "tests/core/sandbox/double_test.ts": "export {};\n",
  "tests/adapters/deno/process_id_test.ts": "export {};\n",
  "tests/scripts/exports.json": JSON.stringify({ ".": ["CodexMcpError", "ThingError", "double"] }),
  "scripts/toolchain.json": JSON.stringify({ deno: "9.8.7", codex: "0.171.0", node: ["20"] }),
  "README.md": "# Seeded\n\nRun `npx -y deno@9.8.7 task test`.\n",
  "LICENSE": "Apache-2.0\n",
  ".ci/run": "cat scripts/toolchain.json\n",
};

/** What a gate says about the good tree with `files` put over it. */
export async function findingsIn(
  gate: (root: string) => Finding[] | Promise<Finding[]>,
  files: Readonly<Record<string, string>> = {},
): Promise<Finding[]> {
  const root = await Deno.makeTempDir({ prefix: "codex-mcp-seeded-" });
  try {
    for (const [path, text] of Object.entries({ ...GOOD_TREE, ...files })) {
      await Deno.mkdir(`${root}/${path}`.replace(/\/[^/]*$/, ""), { recursive: true });
      await Deno.writeTextFile(`${root}/${path}`, text);
    }
    return await gate(root);
  } finally {
    await Deno.remove(root, { recursive: true });
  }
}

/** The findings as lines, for a comparison. */
export function lines(findings: readonly Finding[]): string[] {
  return findings.map(({ where, what }) => `${where} ${what}`);
}

/** A source text with a module header. */
export function source(code: string): string {
  return `${HEADER}${code}`;
}
