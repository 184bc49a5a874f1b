import { assertEquals, assertNotEquals } from "@std/assert";
import { test } from "node:test";
import { Accounts } from "../../../../../adapters/mcp/host/enterprise/account.ts";

const tokens = () => Promise.resolve(null);
const rotated = () => Promise.resolve();

test("user, workspace and identity tell accounts apart; an identity is the same only if it is one object", () => {
  const accounts = new Accounts();
  const identity = { tokens, rotated };
  const kinds = [
    { user: "a", workspace: "w" },
    { user: "a", workspace: null },
    { user: "a", workspace: "" },
    { user: "b", workspace: "w" },
    { user: "a", workspace: "w", identity },
    { user: "a", workspace: "w", identity: { tokens, rotated } },
    { user: 'a",null,1', workspace: null },
    null,
  ];
  const keys = kinds.map((account) => accounts.know(account, "sign-in").key);
  assertEquals(new Set(keys).size, kinds.length);
  assertEquals(kinds.map((account) => accounts.know(account && { ...account }, "sign-in").key), keys);
  assertNotEquals(accounts.know(null, "nobody").key, accounts.know(null, "sign-in").key);
});

test("what is given is copied, and null is what it is said to be", () => {
  const accounts = new Accounts();
  const account = { user: "a", workspace: "w" };
  const known = accounts.know(account, "sign-in");
  account.user = "b";
  assertEquals([known.kind, known.name, known.identity], ["host", { user: "a", workspace: "w" }, null]);
  assertEquals(accounts.know(null, "nobody"), { key: "nobody", kind: "nobody", name: null, identity: null });
});
