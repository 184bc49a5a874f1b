import { test } from "node:test";
import { assertEquals } from "@std/assert";
import { translateField } from "../../../core/configuration/foreign_field.ts";

const values = { environment: { TOKEN: "secret-7" }, workspace: "/work" };

function translate(name: string, value: unknown): unknown {
  const field = translateField(name, { value, values });
  if (field === null) return null;
  return field.flaws.length > 0
    ? field.flaws.map(([code, path]) => `${code} ${path.join(".")}`)
    : [field.name, field.value];
}

test("translateField: other names", () => {
  assertEquals(translate("headers", { A: "a" }), ["http_headers", { A: "a" }]);
  assertEquals(translate("httpUrl", "https://x"), ["url", "https://x"]);
  assertEquals(translate("serverUrl", "https://x"), ["url", "https://x"]);
  assertEquals([translate("disabled", true), translate("enabled", true)], [["enabled", false], [
    "enabled",
    true,
  ]]);
  assertEquals(translate("disabled", "no"), ["enabled", "no"]);
  assertEquals(translate("includeTools", ["a"]), ["enabled_tools", ["a"]]);
  assertEquals(translate("excludeTools", ["a"]), ["disabled_tools", ["a"]]);
  assertEquals([translate("alwaysAllow", []), translate("description", "x")], [null, null]);
});

test("translateField: the transports that are spoken, and those that are not", () => {
  for (const type of ["stdio", "http", "streamable-http", "streamableHttp"]) {
    assertEquals(translate("type", type), null);
  }
  for (const type of ["sse", "ws", 7]) assertEquals(translate("type", type), ["TRANSPORT_UNKNOWN type"]);
});

test("translateField: placeholders where other hosts fill them", () => {
  assertEquals(translate("env", { A: "${TOKEN}", B: 7, C: true, D: null }), ["env", {
    A: "secret-7",
    B: "7",
    C: "true",
  }]);
  assertEquals(translate("headers", { A: "Bearer ${env:TOKEN}" }), ["http_headers", {
    A: "Bearer secret-7",
  }]);
  assertEquals(translate("url", "https://x/?k=${TOKEN}"), ["url", "https://x/?k=secret-7"]);
  assertEquals(translate("args", ["${TOKEN}", "${env:TOKEN}", 7]), ["args", ["${TOKEN}", "secret-7", 7]]);
  assertEquals(translate("cwd", "${workspaceFolder}"), ["cwd", "/work"]);
  assertEquals(translate("command", "${env:MISSING}"), ["VARIABLE_MISSING command"]);
  assertEquals(translate("env", { A: "${MISSING}", B: "${input:x}" }), [
    "VARIABLE_MISSING env.A",
    "PLACEHOLDER_UNKNOWN env.B",
  ]);
  assertEquals(translate("args", ["a", "${input:x}"]), ["PLACEHOLDER_UNKNOWN args.1"]);
});

test("translateField: what is of another type, or known to nobody, stays as it is", () => {
  for (
    const [name, value] of [["env", "x"], ["args", "x"], ["url", 7], ["timeout", 60], [
      "toString",
      1,
    ]] as const
  ) {
    assertEquals(translate(name, value), [name, value]);
  }
});
