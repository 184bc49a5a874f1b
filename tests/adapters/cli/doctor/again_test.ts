import { assertEquals } from "@std/assert";
import { test } from "node:test";
import { AGAIN, asGiven } from "../../../../adapters/cli/doctor/again.ts";

/** The text after a command line of these flags and servers. */
function after(
  text: string,
  { connect = false, values = {}, rest = [] }: {
    readonly connect?: boolean;
    readonly values?: Readonly<Record<string, string>>;
    readonly rest?: readonly string[];
  },
): string {
  return asGiven(text, { has: (name) => connect && name === "connect", value: (name) => values[name], rest });
}

test("the command that looks again tries what was tried", () => {
  const text = `correct it, then run: ${AGAIN}`;
  assertEquals(after(text, {}), text);
  assertEquals(after(text, { connect: true }), `${text} --connect`);
  assertEquals(after(text, { connect: true, rest: ["a", "b c"] }), `${text} --connect a 'b c'`);
  assertEquals(after(text, { rest: ["-x"] }), `${text} -- '-x'`);
  const values = { codex: "/opt/codex", cwd: "/a b", config: "c.toml" };
  assertEquals(after(text, { values, rest: ["a"] }), `${text} --codex /opt/codex --cwd '/a b' a`);
});

test("a server that the text names stays, and so does every other command", () => {
  const named = "Check it; run: codex-mcp doctor notes";
  assertEquals(
    after(named, { connect: true, rest: ["a", "notes"] }),
    "Check it; run: codex-mcp doctor --connect notes",
  );
  assertEquals(after(`${named} --connect`, {}), "Check it; run: codex-mcp doctor --connect notes");
  for (const text of ["run: codex-mcp login", "codex-mcp doctor: its check", "codex-mcp servers --stderr"]) {
    assertEquals(after(text, { connect: true, rest: ["a"] }), text);
  }
});
