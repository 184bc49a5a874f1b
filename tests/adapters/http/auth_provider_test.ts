import { assertEquals, assertRejects } from "@std/assert";
import { test } from "node:test";
import { createAuthProvider } from "../../../adapters/http/auth_provider.ts";

test("a 401 is taken for the bearer that was handed out last, once", async () => {
  let count = 0;
  const refused: string[] = [];
  const provider = createAuthProvider({
    lease: () => Promise.resolve({ lease: `lease-${count += 1}`, binding: "b", token: `token-${count}` }),
    refused: (lease) => void refused.push(lease),
  });
  assertEquals([await provider.token(), await provider.token()], ["token-1", "token-2"]);
  await provider.onUnauthorized();
  await provider.onUnauthorized();
  assertEquals(refused, ["lease-2"]);
  assertEquals(await provider.token(), "token-5");
});

test("a refusal that may not be tried again reaches the transport", async () => {
  const provider = createAuthProvider({
    lease: () => Promise.resolve({ lease: "lease", binding: "b", token: "token" }),
    refused: () => {
      throw new Error("blocked");
    },
  });
  await provider.token();
  await assertRejects(() => provider.onUnauthorized(), Error, "blocked");
});
