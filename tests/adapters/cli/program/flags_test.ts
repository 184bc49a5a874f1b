import { assertEquals, assertThrows } from "@std/assert";
import { test } from "node:test";
import { UsageError } from "../../../../adapters/cli/program/exit_code.ts";
import { type Flags, readFlags, requireFlagsAlone } from "../../../../adapters/cli/program/flags.ts";

const NAMES = { switches: ["json", "open"], values: ["policy", "timeout"], lists: ["root"] };

const read = (...args: readonly string[]): Flags => readFlags(args, NAMES);

function complaint(body: () => unknown): string {
  return assertThrows(body, UsageError).message;
}

test("a word where none belongs is quoted", () => {
  requireFlagsAlone("status", read("--json"));
  assertEquals(
    complaint(() => requireFlagsAlone("status", read("--json", "fi\u001bles"), " Try another.")),
    'status takes flags alone, and "fi\ufffdles" is none. Try another.',
  );
});

test("nothing typed is nothing given", () => {
  const flags = read();
  assertEquals([flags.has("json"), flags.value("policy"), flags.list("root"), flags.rest], [
    false,
    undefined,
    [],
    [],
  ]);
  assertEquals([flags.count("timeout"), flags.milliseconds("timeout")], [undefined, undefined]);
});

test("a value follows its flag, or an equals sign", () => {
  assertEquals(read("--policy", "a b").value("policy"), "a b");
  assertEquals(read("--policy=a=b").value("policy"), "a=b");
  assertEquals(read("--policy=--json").value("policy"), "--json");
  assertEquals(read("--policy", "a", "--policy", "b").value("policy"), "b");
  assertEquals(read("--root", "a", "--root=b", "--root", "a").list("root"), ["a", "b", "a"]);
});

test("words that look like numbers stay words", () => {
  for (const word of ["007", "1e3", "0x10", "-", "9007199254740993", "1.0"]) {
    const flags = read(`--policy=${word}`, `--root=${word}`, "--", word, word);
    assertEquals([flags.value("policy"), flags.list("root"), flags.rest], [word, [word], [word, word]]);
  }
});

test("what follows the first word that is no flag is the command's", () => {
  const words = ["make", "--json", "--policy", "x", "--", "-j", "007", "--unknown=1"];
  for (const before of [[], ["--"]]) {
    const flags = read("--open", "--policy", "p", ...before, ...words);
    assertEquals([flags.has("open"), flags.has("json"), flags.value("policy")], [true, false, "p"]);
    assertEquals(flags.rest, words);
  }
  assertEquals(read("--", "--").rest, ["--"]);
  assertEquals(read("--", "--json").rest, ["--json"]);
  assertEquals(read("-", "--json").rest, ["-", "--json"]);
  assertEquals(read("", "--json").rest, ["", "--json"]);
  assertEquals(read("--open").rest, []);
});

test("a flag that is not known is named", () => {
  assertEquals(complaint(() => read("--unknown")), "There is no --unknown.");
  for (
    const word of ["--no-json", "-j", "--Policy", "--__proto__", "--constructor=x", "--toString", "---json"]
  ) {
    complaint(() => read(word));
  }
});

test("a flag that lacks its value is named", () => {
  for (
    const args of [["--policy"], ["--policy="], ["--policy", "--json"], ["--policy", "--", "cmd"], [
      "--policy",
      "",
    ]]
  ) {
    assertEquals(complaint(() => read(...args)), "--policy needs a value.");
  }
  for (const args of [["--root"], ["--root="], ["--root", "a", "--root"], ["--root", "--json"]]) {
    assertEquals(complaint(() => read(...args).list("root")), "--root needs a value.");
  }
});

test("a switch takes no value, so that a no is never read as a yes", () => {
  for (const word of ["--open=no", "--open=false", "--open=true", "--open="]) {
    assertEquals(complaint(() => read(word)), "--open takes no value.");
  }
  assertEquals(read("cmd", "--open=no").rest, ["cmd", "--open=no"]);
});

test("a count is a positive whole number", () => {
  assertEquals(read("--timeout", "25").count("timeout"), 25);
  for (const word of ["0", "-1", "1.5", "1e3", "0x10", "nine", " 1", "9007199254740993", "Infinity", "NaN"]) {
    assertEquals(
      complaint(() => read(`--timeout=${word}`).count("timeout")),
      "--timeout takes a positive whole number.",
    );
  }
});

test("a time is a positive number of seconds", () => {
  assertEquals(read("--timeout", "1.5").milliseconds("timeout"), 1_500);
  assertEquals(read("--timeout", "2").milliseconds("timeout"), 2_000);
  for (const word of ["0", "0.0", "-1", "1e3", "1s", ".5", "2000000", "Infinity"]) {
    const message = complaint(() => read(`--timeout=${word}`).milliseconds("timeout"));
    assertEquals(message, "--timeout takes a positive number of seconds.");
  }
});
