import { assertEquals, assertThrows } from "@std/assert";
import { test } from "node:test";
import { readMeanings } from "../../../../scripts/docs/troubleshooting/meanings.ts";

test("the members of a union and their docstrings are read, in their order", () => {
  const source = `/** Other. */
export type Other = "X";

/** Codes. */
export type ThingCode =
  /** It is gone; nobody
   * knows where. */
  | "GONE"
  /** It is broken. */
  | "BROKEN";
`;
  assertEquals([...readMeanings(source, "ThingCode")], [
    ["GONE", "It is gone; nobody knows where."],
    ["BROKEN", "It is broken."],
  ]);
});

test("the kinds of a union of objects are read", () => {
  const source = `export type Status =
  /** Fine. */
  | { readonly kind: "fine"; readonly until: number }
  /** Not fine. */
  | {
    readonly kind: "not-fine";
    readonly why: string;
  };
`;
  assertEquals([...readMeanings(source, "Status").values()], ["Fine.", "Not fine."]);
});

test("a member without a docstring, and a union that is not there, are errors", () => {
  assertThrows(
    () => readMeanings('export type A =\n  /** B. */\n  | "B"\n  | "C";', "A"),
    Error,
    "C has no docstring",
  );
  assertThrows(() => readMeanings("", "A"), Error, "there is no union A");
});
