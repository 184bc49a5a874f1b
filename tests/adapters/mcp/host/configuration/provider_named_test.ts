import { assertEquals, assertThrows } from "@std/assert";
import { test } from "node:test";
import { providerNamed } from "../../../../../adapters/mcp/host/configuration/provider_named.ts";
import type { EnterpriseProvider } from "../../../../../core/enterprise/config/provider.ts";
import { EnterpriseError } from "../../../../../core/enterprise/error.ts";

test("the only provider needs no name, one of several does, and an unknown one is refused", () => {
  const [a, b] = ["a", "b"].map((name) => ({ name }) as EnterpriseProvider);
  assertEquals(providerNamed([a!], undefined), a);
  assertEquals(providerNamed([a!, b!], "b"), b);
  const reason = (names: readonly EnterpriseProvider[], name?: string): string | undefined =>
    assertThrows(() => providerNamed(names, name), EnterpriseError).reason;
  assertEquals(reason([a!, b!]), "PROVIDER_AMBIGUOUS");
  assertEquals([reason([]), reason([a!], "b")], ["PROVIDER_UNKNOWN", "PROVIDER_UNKNOWN"]);
});
