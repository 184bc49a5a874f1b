import { assert, assertEquals, assertRejects } from "@std/assert";
import { test } from "node:test";
import { parseToml } from "../../../../adapters/cli/enterprise/toml.ts";
import { EnterpriseError } from "../../../../core/enterprise/error.ts";

test("values come as they are written", async () => {
  const text = 'a = 8080\n[x]\nb = "é"\nc = { env = "NAME" }\nlarge = 9223372036854775807\n';
  assertEquals(await parseToml(text, "config.toml"), {
    a: 8080,
    x: { b: "é", c: { env: "NAME" }, large: 9223372036854775807n },
  });
});

test("a mistake is named by its place, and nothing of the text is repeated", async () => {
  for (const text of ['client_secret = "hush', 'client_secret = "hush"\nclient_secret = "hush"', "hush"]) {
    const error = await assertRejects(() => parseToml(text, "/home/me/config.toml"), EnterpriseError);
    assertEquals([error.code, error.reason, error.cause], [
      "CONFIGURATION_REFUSED",
      "TOML_MALFORMED",
      undefined,
    ]);
    assert(!`${error.message} ${error.stack}`.includes("hush"));
    assert(/"\/home\/me\/config\.toml".*line \d+, column \d+/.test(error.message), error.message);
  }
});
