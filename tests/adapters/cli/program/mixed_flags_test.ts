import { assertEquals, assertThrows } from "@std/assert";
import { test } from "node:test";
import { UsageError } from "../../../../adapters/cli/program/exit_code.ts";
import { readMixedFlags } from "../../../../adapters/cli/program/mixed_flags.ts";

const NAMES = { switches: ["json"], values: ["policy", "timeout"], lists: ["root"] };

test("flags stand before, between and after words; the later one counts", () => {
  const line = ["--policy", "a", "files", "--root", "1", "read", "--json", "-", "--policy=b", "--root=2"];
  const flags = readMixedFlags(line, NAMES);
  assertEquals(flags.rest, ["files", "read", "-"]);
  assertEquals([flags.has("json"), flags.value("policy"), flags.list("root")], [true, "b", ["1", "2"]]);
  assertEquals(readMixedFlags(["x", "--timeout", "1.5"], NAMES).milliseconds("timeout"), 1500);
  assertEquals(readMixedFlags([], NAMES).rest, []);
});

test("after -- everything is a word", () => {
  assertEquals(readMixedFlags(["a", "--json", "b", "--", "--json", "-x"], NAMES).rest, [
    "a",
    "b",
    "--json",
    "-x",
  ]);
  assertEquals(readMixedFlags(["--", "-odd", "--json"], NAMES).rest, ["-odd"]);
});

test("what is not known, or lacks its value, is said wherever it stands", () => {
  for (const line of [["--no"], ["a", "--no"], ["a", "b", "-x"], ["a", "--policy"], ["a", "--json=yes"]]) {
    assertThrows(() => readMixedFlags(line, NAMES), UsageError);
  }
});
