import { assert, assertEquals, assertRejects } from "@std/assert";
import { test } from "node:test";
import { SecretSource } from "../../../../../adapters/mcp/host/configuration/secret_source.ts";
import { EnterpriseError } from "../../../../../core/enterprise/error.ts";

test("each reference leads to its place, and what is not there is said by its name", async () => {
  const source = new SecretSource({
    environment: { SET: "from the environment", EMPTY: "" },
    keyring: (name) => Promise.resolve(name === "item" ? "from the keyring" : null),
  });
  const inline = { kind: "inline", source: "config.toml", path: ["oauth", "client_secret"] } as const;
  await assertRejects(() => source.read(inline), EnterpriseError, "no longer stands");
  source.useLayers([{
    kind: "user",
    source: "config.toml",
    values: { oauth: { client_secret: "from the layer" } },
    codexFile: true,
  }]);
  assertEquals([
    await source.read({ kind: "environment", name: "SET" }),
    await source.read({ kind: "keyring", name: "item" }),
    await source.read(inline),
  ], ["from the environment", "from the keyring", "from the layer"]);
  for (
    const reference of [
      { kind: "environment", name: "EMPTY" },
      { kind: "environment", name: "__proto__" },
      { kind: "keyring", name: "none" },
      { kind: "stdin" },
    ] as const
  ) {
    const error = await assertRejects(() => source.read(reference), EnterpriseError);
    assertEquals([error.code, error.reason], ["CONFIGURATION_REFUSED", "SECRET_MISSING"]);
    assert(!("name" in reference) || error.message.includes(reference.name));
  }
});
