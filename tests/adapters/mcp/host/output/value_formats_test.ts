import { assert, assertEquals, assertThrows } from "@std/assert";
import { test } from "node:test";
import { CheckBudget, CheckGivenUp } from "../../../../../adapters/mcp/host/output/check_budget.ts";
import { hasFormat } from "../../../../../adapters/mcp/host/output/value_formats.ts";

const has = (name: string, value: unknown): boolean => hasFormat(name, value, new CheckBudget());

test("texts and numbers have a format or do not, and other values and unknown formats say nothing", () => {
  const cases: readonly (readonly [string, unknown, boolean])[] = [
    ["email", "a@b.example", true],
    ["email", "a", false],
    ["date", "2024-02-29", true],
    ["date", "2023-02-29", false],
    ["ipv4", "127.0.0.1", true],
    ["ipv4", "127.0.0.256", false],
    ["uri", "https://example.org/", true],
    ["uri", "no uri", false],
    ["int32", 7, true],
    ["int32", 2 ** 40, false],
    ["int32", "7", true],
    ["password", "anything", true],
    ["email", 7, true],
    ["constructor", "x", true],
    ["nobody knows", "x", true],
  ];
  for (const [name, value, expected] of cases) assertEquals(has(name, value), expected, `${name} ${value}`);
});

test("a text that no value of a format is as long as is not looked at, and each look is paid for", () => {
  assert(has("email", "x".repeat(1_001)));
  const budget = new CheckBudget(100_000);
  assertThrows(() => {
    for (;;) hasFormat("url", `http://${":".repeat(900)}`, budget);
  }, CheckGivenUp);
});
