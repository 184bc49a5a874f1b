import { fromJsonSchema } from "@modelcontextprotocol/server";
import { assert, assertEquals } from "@std/assert";
import { test } from "node:test";
import { SANDBOX_RESULT_SCHEMA } from "../../../../adapters/mcp/server/result_schema.ts";
import { buildResult, type SandboxResult } from "../../../../adapters/sandbox/result.ts";

const OUTCOME = {
  exitCode: 0,
  signal: null,
  stdout: new TextEncoder().encode("out"),
  stderr: new Uint8Array(),
  truncated: false,
  timedOut: false,
  cancelled: false,
};

const DONE: SandboxResult = buildResult(OUTCOME, { sandboxed: true, modifiers: [] });

test("every result that is built validates", async () => {
  for (const sandboxed of [true, false, "policy-disabled", "unknown"] as const) {
    const run = { sandboxed, modifiers: ["--sandbox-state-disable-network"] };
    assertEquals(await validate(buildResult(OUTCOME, run)), true);
    assertEquals(
      await validate(buildResult({ ...OUTCOME, exitCode: null, signal: "SIGKILL", timedOut: true }, run)),
      true,
    );
  }
});

test("what is no result does not validate", async () => {
  const wrong: readonly unknown[] = [
    { ...DONE, exitCode: "0" },
    { ...DONE, exitCode: 0.5 },
    { ...DONE, sandboxed: "yes" },
    { ...DONE, setupFailed: true },
    { ...DONE, modifiers: [1] },
    null,
    [],
  ];
  for (const value of wrong) assertEquals(await validate(value), false);
});

test("every member of a result is described and required", async () => {
  const names = Object.keys(DONE).sort();
  assertEquals(Object.keys(SANDBOX_RESULT_SCHEMA.properties).sort(), names);
  assertEquals([...SANDBOX_RESULT_SCHEMA.required].sort(), names);
  for (const name of names) {
    const { [name as keyof SandboxResult]: _, ...rest } = DONE;
    assertEquals([name, await validate(rest)], [name, false]);
  }
});

test("the schema names no dialect and cannot be changed", () => {
  assert(!("$schema" in SANDBOX_RESULT_SCHEMA));
  assert(
    Object.isFrozen(SANDBOX_RESULT_SCHEMA) && Object.isFrozen(SANDBOX_RESULT_SCHEMA.properties["exitCode"]),
  );
});

async function validate(value: unknown): Promise<boolean> {
  return (await fromJsonSchema(SANDBOX_RESULT_SCHEMA)["~standard"].validate(value)).issues === undefined;
}
