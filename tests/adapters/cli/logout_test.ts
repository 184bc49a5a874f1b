import { assertEquals, assertMatch } from "@std/assert";
import { test } from "node:test";
import { EnterprisePlace } from "../../fixtures/enterprise_cli/place.ts";
import { MANY, POLICY } from "./enterprise/policy.ts";

const limit = { timeout: 120_000 };

test("with nothing stored there is nothing to do", limit, async () => {
  await using place = await EnterprisePlace.create(POLICY);
  assertEquals(await place.run(["logout"]), {
    code: 0,
    stdout: "Nobody is signed in at https://idp.invalid.\n",
    stderr: "",
  });
  const { code, stdout } = await place.run(["logout", "--json"]);
  assertEquals([code, JSON.parse(stdout)], [0, {
    provider: "default",
    signedOut: false,
    revoked: false,
    undone: [],
  }]);
});

test("with nothing configured neither", limit, async () => {
  await using place = await EnterprisePlace.create("");
  const { code, stderr } = await place.run(["logout"]);
  assertEquals([code, stderr], [0, ""]);
  const { code: json, stdout } = await place.run(["logout", "--json"]);
  assertEquals([json, JSON.parse(stdout).provider], [0, null]);
  await place.configure(MANY);
  assertEquals((await place.run(["logout"])).code, 2);
  await place.configure("[mcp_enterprise_managed_auth.idp]\n");
  const { code: refused, stderr: why } = await place.run(["logout"]);
  assertEquals(refused, 3);
  assertMatch(why, /CONFIGURATION_REFUSED: .*issuer/);
});
