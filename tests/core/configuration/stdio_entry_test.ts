import { test } from "node:test";
import { assertEquals } from "@std/assert";
import type { StdioEntry } from "../../../core/configuration/entry.ts";
import type { MergedServer } from "../../../core/configuration/merged_server.ts";
import { readSettings } from "../../../core/configuration/settings.ts";
import { readStdioEntry } from "../../../core/configuration/stdio_entry.ts";
import { foundIn, serverWith } from "./merged.ts";

function read(server: MergedServer): StdioEntry | null {
  return readStdioEntry(server, readSettings(server));
}

test("readStdioEntry: a program alone", () => {
  const entry = read(serverWith({ command: "node" }));
  assertEquals([entry?.kind, entry?.command, entry?.args, entry?.env, entry?.envVars, entry?.cwd], [
    "stdio",
    "node",
    [],
    {},
    [],
    null,
  ]);
});

test("readStdioEntry: everything verbatim, names once", () => {
  const server = serverWith({
    command: "/opt/my tools/mcp",
    args: ["", "--flag", "a b"],
    env: { A: "", "with space": "x" },
    env_vars: ["TOKEN", { name: "HOME" }, { name: "TOKEN", source: "local" }],
    cwd: "sub",
  });
  const entry = read(server);
  assertEquals([entry?.args, entry?.env, entry?.envVars, entry?.cwd], [
    ["", "--flag", "a b"],
    { A: "", "with space": "x" },
    ["TOKEN", "HOME"],
    "sub",
  ]);
  assertEquals(foundIn(server), []);
});

test("readStdioEntry: what makes it unusable is named, and no value is", () => {
  const cases: readonly (readonly [Record<string, unknown>, readonly string[]])[] = [
    [{ command: "" }, ["FIELD_EMPTY command"]],
    [{ command: ["node", "a.js"] }, ["FIELD_TYPE command"]],
    [{ args: "secret-7" }, ["FIELD_TYPE args"]],
    [{ args: ["a", 1] }, ["FIELD_TYPE args.1"]],
    [{ env: "secret-7" }, ["FIELD_TYPE env"]],
    [{ env: { A: 1 } }, ["FIELD_TYPE env.A"]],
    [{ env: { "TOKEN=secret-7": "" } }, ["VALUE_MALFORMED env"]],
    [{ env_vars: "TOKEN" }, ["FIELD_TYPE env_vars"]],
    [{ env_vars: ["A", 1, { name: "B", other: 1 }, {}] }, [
      "FIELD_TYPE env_vars.1",
      "FIELD_TYPE env_vars.2",
      "FIELD_TYPE env_vars.3",
    ]],
    [{ env_vars: ["TOKEN=secret-7", ""] }, ["VALUE_MALFORMED env_vars.0", "VALUE_MALFORMED env_vars.1"]],
    [{ env_vars: [{ name: "A", source: "remote" }] }, ["VALUE_UNKNOWN env_vars.0"]],
    [{ cwd: 7 }, ["FIELD_TYPE cwd"]],
  ];
  for (const [fields, expected] of cases) {
    const server = serverWith({ command: "node", ...fields });
    assertEquals(read(server), null);
    assertEquals(foundIn(server), expected);
    assertEquals(JSON.stringify(server.findings).includes("secret-7"), false);
  }
});

test("readStdioEntry: fields of the other transport, as Codex refuses them", () => {
  const server = serverWith({
    command: "node",
    url: "https://x.example",
    http_headers: {},
    bearer_token_env_var: "T",
    auth: "oauth",
    oauth: {},
    scopes: ["a"],
  });
  assertEquals(read(server), null);
  assertEquals(foundIn(server), [
    "TRANSPORT_CONFLICT url",
    "TRANSPORT_CONFLICT bearer_token_env_var",
    "TRANSPORT_CONFLICT http_headers",
    "TRANSPORT_CONFLICT auth",
    "TRANSPORT_CONFLICT oauth",
  ]);
});

test("readStdioEntry: a variable of another environment is not the host's", () => {
  const server = serverWith({
    command: "node",
    environment_id: "build-box",
    env_vars: ["A", { name: "B", source: "remote" }],
  });
  assertEquals(read(server)?.envVars, ["A"]);
});
