import { assert, assertEquals, assertMatch } from "@std/assert";
import { test } from "node:test";
import { EnterprisePlace } from "../../../fixtures/enterprise_cli/place.ts";
import { MANY, POLICY } from "../enterprise/policy.ts";

const limit = { timeout: 120_000 };

test("a keyring that cannot keep anything ends a sign-in before it begins", limit, async () => {
  await using place = await EnterprisePlace.create(POLICY);
  for (
    const [mode, code, sentence] of [
      [
        "absent",
        "KEYRING_ABSENT",
        "it is not running in this session. Start it (see docs/enterprise/README.md, Machines without a desktop)",
      ],
      ["locked", "KEYRING_LOCKED", "it is locked. Unlock it"],
    ] as const
  ) {
    place.keyring = { mode, items: {} };
    const { code: exit, stdout, stderr } = await place.run(["login", "--no-browser", "--yes"]);
    assertEquals([exit, stdout], [5, ""]);
    const said = `Cannot use the keyring "Secret Service": ${sentence}, then run: codex-mcp login`;
    assertEquals(stderr, `codex-mcp: ${code}: ${said}\n`);
  }
});

test("an identity provider that is not there is unavailable", limit, async () => {
  await using place = await EnterprisePlace.create(POLICY);
  const { code, stdout, stderr } = await place.run(["login", "--id-token-stdin", "--timeout", "8"], {
    input: "t.o.k\n",
  });
  assertEquals([code, stdout], [5, ""]);
  assertMatch(stderr, /^codex-mcp: TEMPORARILY_UNAVAILABLE: .+idp\.invalid.+\n$/);
});

test("what is wrong with the command line is said before anything happens", limit, async () => {
  await using place = await EnterprisePlace.create(MANY);
  const lines: readonly (readonly [readonly string[], RegExp])[] = [
    [["login"], /several identity providers.*--idp: default, globex/],
    [["login", "--idp", "other"], /no identity provider "other"/],
    [["login", "--device", "--no-browser"], /--no-browser and --device exclude each other/],
    [["login", "eyJ-a-token"], /A token comes on standard input/],
    [["login", "--idp", "globex", "--id-token-stdin"], /ID token is to come on standard input/],
  ];
  for (const [words, pattern] of lines) {
    const { code, stdout, stderr } = await place.run(words);
    assertEquals([code, stdout], [2, ""], stderr);
    assertMatch(stderr, pattern);
    assert(!stderr.includes("eyJ"), stderr);
  }
});

test("a sign-in that nothing can use is refused or told before anything happens", limit, async () => {
  await using off = await EnterprisePlace.create(POLICY.replace("use_xaa", "use_xxa"));
  const refused = await off.run(["login", "--no-browser"]);
  assertEquals([refused.code, refused.stdout], [3, ""]);
  assertMatch(
    refused.stderr,
    /CONFIGURATION_REFUSED: Cannot use features\.use_xaa: .+ Set use_xaa = true under \[features\], /,
  );
  await using nobody = await EnterprisePlace.create(POLICY.replace(/\[mcp_servers.*/s, ""));
  const { code, stderr } = await nobody.run(["login", "--id-token-stdin", "--timeout", "8"], {
    input: "t.o.k\n",
  });
  assertEquals(code, 5);
  assertMatch(stderr, /^codex-mcp: No server that can be used names the identity provider "default": /);
});

test("a project cannot bring its own identity provider", limit, async () => {
  await using place = await EnterprisePlace.create("");
  await Deno.mkdir(`${place.workspace}/.codex`);
  await Deno.writeTextFile(`${place.workspace}/.codex/config.toml`, POLICY);
  for (const words of [["login"], ["login", "--config", ".codex/config.toml"]]) {
    const { code, stderr } = await place.run(words);
    assertEquals(code, 3);
    assertMatch(stderr, /CONFIGURATION_REFUSED: .*mcp_enterprise_managed_auth of project layer/);
  }
  const moved = { CODEX_HOME: `${place.workspace}/.codex` };
  assertEquals((await place.run(["login"], { environment: moved })).code, 3);
});
