/**
 * Discovery and both legs at the enterprise test bed: every profile leads to a token, every switch to the right
 * refusal at the right stage, and whatever happens, no credential, assertion or bearer goes anywhere else.
 *
 * @module
 */

import { assert, assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
import { test } from "node:test";
import {
  countSequentialLegs,
  PROFILE_NAMES,
  type ProfileName,
  select,
  startEnterpriseBed,
  SWITCHES,
} from "../../fixtures/enterprise/mod.ts";
import { call } from "../../fixtures/enterprise/trace/hand_client.ts";
import { LegsClient, signedIn, walk } from "./legs.ts";
import { shown, strayed } from "./secrets.ts";
import { expectedVerdicts, LISTED } from "./legs_expected.ts";

for (const profile of PROFILE_NAMES) {
  test(`${profile}: discovery and both legs lead to a token that the MCP server takes`, async () => {
    await using bed = await startEnterpriseBed({ profile });
    const tokens = await signedIn(bed);
    bed.wire.clear();
    bed.latency = 40;
    const { verdict, access, jag, facts } = await walk(new LegsClient(bed), tokens);
    assertEquals(verdict, "token");
    assertEquals(strayed(bed), []);
    assertEquals(countSequentialLegs(bed.wire.entries()), 3);
    assertEquals(select(bed.wire.entries(), { site: "elsewhere" }), []);
    assertEquals(facts?.authorizationServer.issuer, bed.as.issuer);
    assertEquals(facts?.provider.issuer, bed.idp.issuer);
    assertEquals(facts?.resource, bed.mcp.url);
    const [exchange] = select(bed.wire.entries(), { endpoint: "idp.exchange" });
    assertEquals(exchange?.params?.["audience"], bed.as.issuer);
    assertEquals(exchange?.params?.["resource"], bed.mcp.url);
    const [redemption] = select(bed.wire.entries(), { endpoint: "as.token" });
    assertEquals(redemption?.params?.["resource"], bed.mcp.url);
    assertEquals(redemption?.params?.["scope"], "notes:read");
    for (const { headers } of bed.wire.entries()) assertEquals(headers["cookie"], undefined);
    const response = await call(bed, access?.token() ?? "");
    assertStringIncludes(await response.text(), "alice");
    assert(bed.secretsInPlay().includes(access?.token() ?? ""));
    assert(bed.secretsInPlay().includes(jag?.token() ?? ""));
    assertEquals(shown(bed, { access, jag, facts }), []);
  });
}

const EXPECTED = expectedVerdicts();

test("every switch of discovery and of both legs is expected to lead somewhere", () => {
  const all = Object.entries(SWITCHES).filter(([, { at }]) => LISTED.includes(at)).map(([name]) => name);
  assertEquals(all.filter((name) => !EXPECTED.has(name)), []);
  assertEquals([...EXPECTED.keys()].filter((name) => SWITCHES[name] === undefined), []);
});

const PROFILES: ReadonlySet<ProfileName> = new Set(
  [...EXPECTED.keys()].map((name) => SWITCHES[name]?.profile ?? "xaa.dev"),
);

for (const profile of PROFILES) {
  test(`each switch leads to its refusal, and nothing secret goes astray or is shown (${profile})`, async () => {
    await using bed = await startEnterpriseBed({ profile });
    let tokens = await signedIn(bed);
    const wrong: string[] = [];
    for (const [name, expected] of EXPECTED) {
      if ((SWITCHES[name]?.profile ?? "xaa.dev") !== profile) continue;
      // An exchange may rotate the token that it presents.
      if (bed.profile.subjects.includes("refresh_token")) tokens = await signedIn(bed);
      bed.reset();
      bed.turn(name);
      const silent = /-(drip|hang)$/.test(name);
      const client = new LegsClient(bed, silent ? { requestSeconds: 0.5, legSeconds: 1.5 } : {});
      const { verdict, ...rest } = await walk(client, tokens);
      if (verdict !== expected) wrong.push(`${name}: ${verdict}, expected ${expected}`);
      for (const places of strayed(bed)) wrong.push(`${name}: a secret went to ${places}`);
      if (shown(bed, rest).length > 0 || rest.error !== null && shown(bed, rest.error).length > 0) {
        wrong.push(`${name}: a secret is shown`);
      }
      const elsewhere = select(bed.wire.entries(), { site: "elsewhere" });
      if (elsewhere.length > 0) wrong.push(`${name}: ${elsewhere.length} requests went to another origin`);
      const repeated = ["idp.exchange", "as.token"] as const;
      for (const endpoint of repeated) {
        const count = select(bed.wire.entries(), { endpoint }).length;
        if (count > 1) wrong.push(`${name}: ${endpoint} was asked ${count} times`);
      }
    }
    assertEquals(wrong, []);
  });
}

test("a rotated refresh token is handed over before the answer is looked at, an unasked one is not", async () => {
  await using bed = await startEnterpriseBed({ profile: "ping-refresh" });
  const faults = ["idp.exchange-text-plain", "exchange-answer-issued-jwt", "id-jag-aud-other"];
  for (const name of ["exchange-answer-refresh-token-rotated", ...faults]) {
    const tokens = await signedIn(bed);
    bed.reset();
    bed.idp.controls.rotateAtExchange = true;
    bed.turn(name);
    const client = new LegsClient(bed);
    const { verdict } = await walk(client, tokens);
    assertEquals(verdict === "token", name.endsWith("rotated"), name);
    assertEquals(client.rotated.length, 1, name);
    assert(client.rotated[0] !== tokens.refreshToken);
  }
  await using other = await startEnterpriseBed({ profile: "xaa.dev" });
  other.turn("exchange-answer-refresh-token-added");
  const client = new LegsClient(other);
  assertEquals((await walk(client, await signedIn(other))).verdict, "token");
  assertEquals(client.rotated, []);
});

test("a clock that is off is named as such", async () => {
  await using bed = await startEnterpriseBed();
  const { verdict, error } = await walk(new LegsClient(bed, { ahead: 400 }), await signedIn(bed));
  assertEquals(verdict, "exchange EXCHANGE_REFUSED misconfigured expired");
  assertMatch(error?.message ?? "", /clock is off by (399|400|401) s \(ahead\)/);
});

test("without a configured issuer the first published server with the profile is used, of five at most", async () => {
  await using bed = await startEnterpriseBed({ resourceMethod: "none" });
  const tokens = await signedIn(bed);
  const oauth = { authorization_server_issuer: undefined };
  const expected: Readonly<Record<string, string>> = {
    "prm-servers-missing": "discovery DISCOVERY_REFUSED - none-published",
    "prm-servers-empty": "discovery DISCOVERY_REFUSED - none-published",
    "prm-servers-link-local": "discovery DISCOVERY_REFUSED - none-published",
    "prm-servers-consumer-first": "token",
    "prm-servers-consumer-last": "token",
    "prm-servers-other": "discovery DISCOVERY_REFUSED - grant-unsupported",
    "prm-servers-many": "discovery DISCOVERY_REFUSED - none-suitable",
    // It holds together: only the identity provider can tell that it is none of the organization's.
    "prm-servers-elsewhere": "exchange ADMINISTRATOR_REFUSED administrator invalid_target",
  };
  for (const [name, verdict] of Object.entries(expected)) {
    bed.reset();
    bed.turn(name);
    assertEquals((await walk(new LegsClient(bed, { oauth }), tokens)).verdict, verdict, name);
    assertEquals(strayed(bed), [], name);
    const asked = new Set(select(bed.wire.entries(), { endpoint: "as.metadata" }).map(({ url }) => url));
    assert(asked.size <= 15, `${name}: ${asked.size} places`);
  }
  bed.reset();
  bed.latency = 40;
  assertEquals((await walk(new LegsClient(bed, { oauth }), tokens)).verdict, "token");
  assertEquals(countSequentialLegs(bed.wire.entries()), 4);
});

test("metadata is asked without authorization first only when it is found no other way", async () => {
  await using bed = await startEnterpriseBed();
  const tokens = await signedIn(bed);
  const posts = async (name: string): Promise<readonly number[]> => {
    bed.reset();
    bed.turn(name);
    const client = new LegsClient(bed);
    const counts: number[] = [];
    for (let round = 0; round < 2; round += 1) {
      await walk(client, tokens);
      counts.push(select(bed.wire.entries(), { endpoint: "mcp.endpoint" }).length);
    }
    return counts;
  };
  assertEquals(await posts("prm-at-root"), [0, 0]);
  assertEquals((await posts("prm-at-challenge"))[0], 1);
  assertEquals((await posts("prm-absent"))[0], 1);
  bed.turn("mcp-challenge-metadata-elsewhere");
  bed.mcp.controls.prmAt = "challenge";
  bed.wire.clear();
  const { verdict } = await walk(new LegsClient(bed), tokens);
  assertEquals(verdict, "discovery DISCOVERY_REFUSED - not-found");
  assertEquals(select(bed.wire.entries(), { site: "elsewhere" }), []);
});
