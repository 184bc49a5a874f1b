import { assertEquals } from "@std/assert";
import { test } from "node:test";
import { SESSION_REPORT_SCHEMA } from "../../../../adapters/cli/serve/session_schema.ts";
import { reportSession } from "../../../../adapters/sandbox/session_report.ts";

test("the schema names every field of a report, all of them required", () => {
  const report = reportSession({
    sessionId: "id",
    restarted: false,
    inputSent: false,
    sandboxed: true,
    modifiers: [],
    health: { state: "running", exitCode: null, signal: null, endedBy: null },
    output: { stdout: "", stderr: "", droppedBytes: 0 },
  });
  assertEquals(Object.keys(SESSION_REPORT_SCHEMA.properties).sort(), Object.keys(report).sort());
  assertEquals(SESSION_REPORT_SCHEMA.required.toSorted(), Object.keys(report).sort());
  assertEquals([SESSION_REPORT_SCHEMA.type, Object.isFrozen(SESSION_REPORT_SCHEMA.properties)], [
    "object",
    true,
  ]);
});

test("every field has a type or its values, and a description", () => {
  for (const [name, schema] of Object.entries(SESSION_REPORT_SCHEMA.properties)) {
    assertEquals([name, "type" in schema || "enum" in schema, typeof schema["description"]], [
      name,
      true,
      "string",
    ]);
  }
});
