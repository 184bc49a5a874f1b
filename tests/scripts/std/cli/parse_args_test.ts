import { assertEquals } from "@std/assert";
import { parseArgs } from "@std/cli";
import { parseArgs as fromSubpath } from "@std/cli/parse-args";
import { test } from "node:test";

// These run against whatever "@std/cli" is, so what is asserted here must hold for the real package too.

test("both keys export the parser", () => assertEquals(fromSubpath, parseArgs));

const UNTYPED: readonly (readonly [string, readonly string[], unknown])[] = [
  ["flags and values", ["--a", "--b", "c", "--d=e", "f"], { a: true, b: "c", d: "e", _: ["f"] }],
  ["numbers", ["--a=5", "-b", "1e3", "0x10", "7f"], { a: 5, b: 1000, _: [16, "7f"] }],
  ["letters in a row", ["-abc", "d"], { a: true, b: true, c: "d", _: [] }],
  ["values glued to a letter", ["-n5", "-I/x", "-k=v"], { n: 5, I: "/x", k: "v", _: [] }],
  ["a value with equal signs", ["--a=b=c"], { a: "b=c", _: [] }],
  ["a lone dash", ["-", "-a", "-"], { a: "-", _: ["-"] }],
  ["the double dash", ["--a", "--", "--b"], { a: true, _: ["--b"] }],
  ["a negation that nobody allowed", ["--no-a"], { "no-a": true, _: [] }],
  ["the last of several", ["--a", "1", "--a", "2"], { a: 2, _: [] }],
  ["dotted names", ["--a.b", "1", "--a.c=2"], { a: { b: 1, c: 2 }, _: [] }],
];
for (const [name, args, expected] of UNTYPED) {
  test(`parseArgs: ${name}`, () => assertEquals<unknown>(parseArgs([...args]), expected));
}

test("parseArgs: boolean flags take no value, and are false by default", () => {
  const args = parseArgs(["--json", "x", "--color", "false", "-q"], {
    boolean: ["json", "color", "q", "help"],
  });
  const json: boolean = args.json;
  assertEquals(json, true);
  assertEquals<unknown>(args, { json: true, color: false, q: true, help: false, _: ["x"] });
  assertEquals<unknown>(parseArgs(["--a", "b", "-c", "d", "--e=f"], { boolean: true }), {
    a: true,
    c: "d",
    e: "f",
    _: ["b"],
  });
});

test("parseArgs: string flags stay text, empty without a value", () => {
  const args = parseArgs(["--id", "007", "--name"], { string: ["id", "name", "other"] });
  const id: string | undefined = args.id;
  assertEquals(id, "007");
  assertEquals<unknown>(args, { id: "007", name: "", _: [] });
  assertEquals<unknown>(parseArgs(["007"], { string: ["_"] })._, ["007"]);
});

test("parseArgs: collected flags keep all values in order", () => {
  const args = parseArgs(["--env", "A", "--env=B"], { string: ["env", "none"], collect: ["env", "none"] });
  const env: string[] = args.env;
  assertEquals(env, ["A", "B"]);
  assertEquals(args.none, []);
});

test("parseArgs: aliases share their value", () => {
  const args = parseArgs(["-h", "-p", "8"], { boolean: ["help"], alias: { help: "h", port: ["p"] } });
  assertEquals<unknown>(args, { help: true, h: true, port: 8, p: 8, _: [] });
});

test("parseArgs: defaults fill in, for aliases too", () => {
  const args = parseArgs(["--a", "x"], {
    string: ["a", "b"],
    default: { a: "1", b: "2" },
    alias: { b: "c" },
  });
  const b: string = args.b;
  assertEquals(b, "2");
  assertEquals<unknown>(args, { a: "x", b: "2", c: "2", _: [] });
  assertEquals(parseArgs([], { boolean: ["on"], default: { on: true } }).on, true);
});

test("parseArgs: negatable flags", () => {
  assertEquals(parseArgs(["--no-color"], { boolean: ["color"], negatable: ["color"] }).color, false);
  assertEquals(
    parseArgs(["--no-color", "--color"], { boolean: ["color"], negatable: ["color"] }).color,
    true,
  );
});

test("parseArgs: what follows the double dash may be kept apart", () => {
  const args = parseArgs(["--a", "b", "--", "c", "--d", "5"], { "--": true });
  const rest: string[] = args["--"];
  assertEquals(rest, ["c", "--d", "5"]);
  assertEquals(args._, []);
  assertEquals(parseArgs([], { "--": true })["--"], []);
});

test("parseArgs: stopEarly leaves the rest alone", () => {
  const args = parseArgs(["--a", "run", "--b", "1"], { boolean: ["a"], stopEarly: true });
  assertEquals<unknown>(args, { a: true, _: ["run", "--b", "1"] });
});

test("parseArgs: unknown arguments are shown, and left out on false", () => {
  const seen: unknown[] = [];
  const args = parseArgs(["--known", "--other=1", "-x", "left"], {
    boolean: ["known"],
    unknown: (arg, key, value) => {
      seen.push([arg, key, value]);
      return false;
    },
  });
  assertEquals<unknown>(args, { known: true, _: [] });
  assertEquals(seen, [["--other=1", "other", "1"], ["-x", "x", "left"]]);
});
