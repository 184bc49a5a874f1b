import { assert, assertEquals } from "@std/assert";
import { test } from "node:test";
import type { ServerRow } from "../../../../adapters/cli/servers/server_row.ts";
import { serverTable } from "../../../../adapters/cli/servers/server_table.ts";

const ROW: ServerRow = {
  name: "a",
  kind: "stdio",
  transport: "stdio",
  environment: "local",
  enabled: true,
  state: "ready",
  era: "modern",
  protocol: "2026-07-28",
  sandbox: "asks",
  auth: "none",
  tools: 3,
  reason: null,
  exitCode: 0,
  enterprise: null,
  faults: [],
  stderr: "",
};

test("columns are as wide as what stands in them", () => {
  const off: ServerRow = {
    ...ROW,
    name: "longer",
    enabled: false,
    state: "disabled",
    era: null,
    sandbox: "does-not-ask",
    tools: null,
  };
  assertEquals(serverTable([ROW, off], { stderr: false }), [
    "server  state  era                auth  environment  sandbox       tools",
    "a       ready  modern 2026-07-28  none  local        asks          3",
    "longer  off    -                  none  local        does not ask  -",
  ]);
  assertEquals(serverTable([], { stderr: false }), []);
});

test("what is wrong stands below, what a server wrote only when it is asked for", () => {
  const reason = { code: "SERVER_UNAVAILABLE", message: "gone\nfor good" };
  const bad: ServerRow = { ...ROW, state: "failed", reason, exitCode: 5, stderr: "one\u001b[2J\n\ntwo\n" };
  assertEquals(serverTable([bad], { stderr: false }).slice(2), ["  gone\ufffdfor good"]);
  assertEquals(serverTable([bad], { stderr: true }).slice(3), ["  | one\ufffd[2J", "  | two"]);
  const oauth = serverTable([{ ...ROW, auth: "oauth-unsupported" }], { stderr: true }).at(-1) ?? "";
  assert(oauth.includes("connects without"), oauth);
});

test("every fault stands below, the first as the reason", () => {
  const fault = (line: number) =>
    ({
      code: "FIELD_TYPE",
      field: "f",
      path: ["f"],
      layer: { kind: "user", source: "/c.toml" },
      message: "x",
      line,
    }) as const;
  const reason = { code: "FIELD_TYPE", message: "the first" };
  const row: ServerRow = { ...ROW, state: "disabled", reason, exitCode: 3, faults: [fault(1), fault(2)] };
  const [first, second, ...rest] = serverTable([row], { stderr: false }).slice(2);
  assertEquals([first, second?.startsWith("  /c.toml:2: "), rest.length], ["  the first", true, 0]);
});

test("a name is cut and cannot move the cursor", () => {
  const [, line = ""] = serverTable([{ ...ROW, name: `\u001b[2J${"x".repeat(300)}` }], { stderr: false });
  assert(!line.includes("\u001b") && line.length < 200);
});
