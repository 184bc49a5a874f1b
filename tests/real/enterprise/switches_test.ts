/**
 * Every switch of the enterprise test bed changes what it says, first where it says, and nothing before.
 *
 * @module
 */

import { assert, assertEquals } from "@std/assert";
import { test } from "node:test";
import { type ProfileName, startEnterpriseBed, SWITCHES } from "../../fixtures/enterprise/mod.ts";
import { firstDifference, signIn, type Step, trace } from "../../fixtures/enterprise/trace/trace.ts";

const PROFILES: ReadonlySet<ProfileName> = new Set(
  Object.values(SWITCHES).map(({ profile }) => profile ?? "xaa.dev"),
);

for (const profile of PROFILES) {
  test(`each switch changes the answer it names (${profile})`, async () => {
    await using bed = await startEnterpriseBed({ profile });
    const plain = await trace(bed);
    assertEquals(firstDifference(plain, await trace(bed)), null);
    const own = Object.entries(SWITCHES).filter(([, { profile: its = "xaa.dev" }]) => its === profile);
    const { tokens } = await signIn(bed);
    assert(tokens !== null);
    const legs = plain.slice(plain.findIndex(({ endpoint }) => endpoint === "idp.exchange"));
    const wrong: string[] = [];
    for (const [name, { at }] of own) {
      bed.reset();
      bed.turn(name);
      // What is wrong with a leg is looked for from the first leg on: the sign-in before it is always the same.
      const short = (at === "idp.exchange" || at === "as.token") && bed.profile.subjects.includes("id_token");
      const changed = await trace(bed, short ? { until: at, tokens } : { until: at });
      const whole = short ? legs : plain;
      const compared: readonly Step[] = at === "mcp.endpoint" ? plain : whole.slice(0, changed.length);
      const found = firstDifference(compared, changed);
      if (found !== at) wrong.push(`${name}: differs at ${found}, not at ${at}`);
    }
    assertEquals(wrong, []);
    bed.reset();
    assertEquals(firstDifference(plain, await trace(bed)), null);
  });
}

/** What a strict authorization server does with an ID-JAG of each switch; all others are `invalid_grant`. */
const VERDICTS: Readonly<Record<string, string>> = {
  "id-jag-encrypted": "200",
  "id-jag-aud-array": "200",
  "id-jag-resource-array": "200",
  "id-jag-resource-other": "200",
  "id-jag-sub-other": "200",
  "id-jag-exp-in-days": "200",
  "id-jag-expired-30": "200",
  "id-jag-iat-ahead-45": "200",
  "id-jag-nbf-ahead-45": "200",
  "id-jag-scope-broadened": "200",
  "id-jag-scope-missing": "200",
  "id-jag-authorization-details": "200",
  "id-jag-resource-slash": "400 invalid_target",
  "id-jag-resource-missing": "400 invalid_target",
  "id-jag-resource-two": "400 invalid_target",
  "id-jag-scope-narrowed": "400 invalid_scope",
};

test("the authorization server refuses every ID-JAG that is not right, and takes it when it is lenient", async () => {
  await using bed = await startEnterpriseBed();
  const { tokens } = await signIn(bed);
  assert(tokens !== null);
  const names = Object.keys(SWITCHES).filter((name) => name.startsWith("id-jag-"));
  const verdicts: Record<string, string> = {};
  const lenient: Record<string, string> = {};
  for (const name of names) {
    bed.reset();
    bed.turn(name);
    verdicts[name] = verdict(await trace(bed, { until: "as.token", tokens }));
    bed.as.controls.lenient = true;
    lenient[name] = verdict(await trace(bed, { until: "as.token", tokens }));
  }
  const expected = names.map((name) => [name, VERDICTS[name] ?? "400 invalid_grant"]);
  assertEquals(verdicts, Object.fromEntries(expected));
  const refused = Object.entries(lenient).filter(([, text]) => text !== "200").map(([name]) => name);
  // Without a user, without jti or beyond the requested scope there is no token to issue.
  assertEquals(refused.sort(), [
    "id-jag-jti-missing",
    "id-jag-jti-number",
    "id-jag-scope-narrowed",
    "id-jag-sub-empty",
    "id-jag-sub-missing",
  ]);
});

function verdict(steps: readonly Step[]): string {
  const last = steps.at(-1);
  const { status, body } = last?.observation as { status: number; body: { error?: string } };
  return body.error === undefined ? String(status) : `${status} ${body.error}`;
}
