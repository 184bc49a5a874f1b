import { assertEquals } from "@std/assert";
import { test } from "node:test";
import { RetainedAuthority } from "../../../adapters/sandbox/_retained_authority.ts";
import { captureAuthority } from "../../../core/sandbox/capture.ts";

const of = (state: object, codexExecutable: string = "/codex") =>
  captureAuthority({ "codex/sandbox-state": state, "codex/sandbox-launcher": { codexExecutable } }, {
    transport: "stdio",
  });

test("state, launcher and modifiers are compared, each under its name", () => {
  const retained = new RetainedAuthority(of({ a: 1, b: 2 }), ["--x", "/y"]);
  assertEquals(retained.changes(of({ b: 2, a: 1 }), ["--x", "/y"]), []);
  assertEquals(retained.changes(of({ a: 1, b: 3 }), ["--x", "/y"]), ["/state/b"]);
  assertEquals(retained.changes(of({ a: 1, b: 2 }, "/other"), ["--x", "/y"]), ["/launcher/codexExecutable"]);
  for (const modifiers of [[], ["--x"], ["--x", "/z"], ["--x", "/y", "--z"], ["/y", "--x"]]) {
    assertEquals(retained.changes(of({ a: 1, b: 2 }), modifiers), ["/modifiers"]);
  }
  assertEquals(retained.changes(of({ a: 1 }, "/other"), []), [
    "/state/b",
    "/launcher/codexExecutable",
    "/modifiers",
  ]);
});

test("a list that changes later changes nothing", () => {
  const modifiers = ["--x"];
  const retained = new RetainedAuthority(of({}), modifiers);
  modifiers.push("--y");
  assertEquals(retained.changes(of({}), ["--x"]), []);
});
