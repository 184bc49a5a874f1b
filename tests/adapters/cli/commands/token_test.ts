import { assertEquals, assertMatch } from "@std/assert";
import { test } from "node:test";
import { EnterprisePlace } from "../../../fixtures/enterprise_cli/place.ts";
import { MANY } from "../enterprise/policy.ts";

const limit = { timeout: 120_000 };

test("without a bearer standard output stays empty, and the reason has its exit code", limit, async () => {
  await using place = await EnterprisePlace.create(MANY);
  const lines: readonly (readonly [readonly string[], number, RegExp])[] = [
    [["token"], 2, /Which server\?/],
    [["token", "other"], 2, /no enterprise server "other"\. There is: tracker, wiki, off, broken\./],
    [["token", "tracker", "wiki"], 2, /one server/],
    [["token", "broken"], 3, /CONFIGURATION_REFUSED: .*mcp_servers\.broken\.url/],
    [["token", "off"], 3, /SERVER_DISABLED: .*mcp_servers\.off\.enabled/],
    [["token", "tracker"], 4, /SIGN_IN_REQUIRED: .*codex-mcp login$/m],
    [["token", "wiki"], 4, /SIGN_IN_REQUIRED: .*codex-mcp login --idp globex$/m],
  ];
  for (const [words, code, pattern] of lines) {
    const outcome = await place.run(words);
    assertEquals([outcome.code, outcome.stdout], [code, ""], `${words}: ${outcome.stderr}`);
    assertMatch(outcome.stderr, pattern);
  }
});

test("the next command names the file, wherever --config stood", limit, async () => {
  await using place = await EnterprisePlace.create(MANY);
  const file = place.configuration;
  for (const words of [["--config", file, "tracker"], ["tracker", "--config", file]]) {
    const { code, stderr } = await place.run(["token", ...words]);
    assertEquals([code, stderr.trimEnd().endsWith(`codex-mcp login --config ${file}`)], [4, true], stderr);
  }
});

test("a keyring that is absent or locked is said", limit, async () => {
  await using place = await EnterprisePlace.create(MANY);
  for (const [mode, code] of [["absent", "KEYRING_ABSENT"], ["locked", "KEYRING_LOCKED"]] as const) {
    place.keyring = { mode, items: {} };
    const { code: exit, stdout, stderr } = await place.run(["token", "tracker", "--json"]);
    assertEquals([exit, stderr], [5, ""]);
    assertEquals(JSON.parse(stdout).error.code, code);
  }
});
