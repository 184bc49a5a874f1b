/**
 * Plain refresh and revocation at the enterprise test bed: what they bring, what they say about the grant, and that
 * they send their token to the identity provider alone, once.
 *
 * @module
 */

import { assert, assertEquals } from "@std/assert";
import { test } from "node:test";
import type { ServerMetadata } from "../../../core/enterprise/discovery/server_metadata.ts";
import type { Outcome } from "../../../adapters/http/exchange/outcome.ts";
import { probeOutcome, type RefreshedGrant, refreshGrant } from "../../../adapters/http/exchange/refresh.ts";
import { type Revocation, revokeToken } from "../../../adapters/http/exchange/revoke.ts";
import { type EnterpriseBed, select, startEnterpriseBed, SWITCHES } from "../../fixtures/enterprise/mod.ts";
import { LegsClient, signedIn } from "./legs.ts";
import { shown, strayed } from "./secrets.ts";

interface Client {
  readonly metadata: ServerMetadata;
  readonly rotated: string[];
  refresh(refreshToken: string, seconds?: number): Promise<Outcome<RefreshedGrant>>;
  revoke(token: string, seconds?: number): Promise<Revocation>;
}

async function clientOf(bed: EnterpriseBed): Promise<Client> {
  const legs = new LegsClient(bed);
  const { value: metadata } = await legs.discovery.provider(legs.provider, {
    signal: AbortSignal.timeout(30_000),
  });
  const { http, clock, readSecret, rotated } = legs;
  const { client } = legs.provider;
  const common = (seconds: number) => ({
    http,
    clock,
    readSecret,
    metadata,
    client,
    signal: AbortSignal.timeout(seconds * 1000),
  });
  const onRotated = (token: string): Promise<void> => Promise.resolve(void rotated.push(token));
  return {
    metadata,
    rotated,
    refresh: (refreshToken, seconds = 20) => refreshGrant({ ...common(seconds), refreshToken, onRotated }),
    revoke: (token, seconds = 20) => revokeToken({ ...common(seconds), token, hint: "refresh_token" }),
  };
}

test("a refresh brings an ID token and a rotated refresh token, and the used one is refused", async () => {
  await using bed = await startEnterpriseBed({ profile: "okta-org" });
  const { refreshToken } = await signedIn(bed);
  const client = await clientOf(bed);
  const first = await client.refresh(refreshToken);
  assert(first.succeeded && first.value.idToken !== null && first.value.rotated);
  assertEquals(first.value.idToken().split(".").length, 3);
  assertEquals(client.rotated.length, 1);
  assertEquals(probeOutcome(await client.refresh(refreshToken)), "refused");
});

test("a revoked refresh token is refused from then on", async () => {
  await using bed = await startEnterpriseBed();
  const { refreshToken } = await signedIn(bed);
  const client = await clientOf(bed);
  assertEquals(await client.revoke(refreshToken), { kind: "revoked" });
  assertEquals(probeOutcome(await client.refresh(refreshToken)), "refused");
});

/** Faults after which nobody knows more about the grant than before. */
const OUTAGES = /-(404|429|429-bare|500|502-html|503|drip|hang|reset)$/;

test("whatever a refresh meets, only the identity provider's invalid_grant ends the grant", async () => {
  await using bed = await startEnterpriseBed();
  const { refreshToken } = await signedIn(bed);
  const client = await clientOf(bed);
  const wrong: string[] = [];
  for (const name of Object.keys(SWITCHES).filter((one) => one.startsWith("idp.refresh-"))) {
    bed.reset();
    bed.idp.controls.rotate = false;
    bed.turn(name);
    const outcome = await client.refresh(refreshToken, /-(drip|hang)$/.test(name) ? 0.5 : 20);
    const probe = probeOutcome(outcome);
    const expected = OUTAGES.test(name) ? "unavailable" : "standing";
    if (outcome.succeeded) wrong.push(`${name}: succeeded`);
    if (probe !== expected) wrong.push(`${name}: ${probe}`);
    for (const places of strayed(bed)) wrong.push(`${name}: a secret went to ${places}`);
    if (shown(bed, outcome).length > 0) wrong.push(`${name}: a secret is shown`);
    const count = select(bed.wire.entries(), { endpoint: "idp.refresh" }).length;
    if (count !== 1) wrong.push(`${name}: ${count} requests`);
  }
  assertEquals(wrong, []);
});

test("a revocation that fails says so, and its token goes nowhere else", async () => {
  await using bed = await startEnterpriseBed();
  const { refreshToken } = await signedIn(bed);
  const client = await clientOf(bed);
  const wrong: string[] = [];
  for (const name of Object.keys(SWITCHES).filter((one) => one.startsWith("idp.revocation-"))) {
    bed.reset();
    bed.turn(name);
    const result = await client.revoke(refreshToken, /-(drip|hang)$/.test(name) ? 0.5 : 20);
    // A success has no body that anyone reads.
    const expected = /[a-z]-(html|not-json|json-array|json-null|empty|endless)$/.test(name)
      ? "revoked"
      : "failed";
    if (result.kind !== expected) wrong.push(`${name}: ${result.kind}`);
    for (const places of strayed(bed)) wrong.push(`${name}: a secret went to ${places}`);
    if (shown(bed, result).length > 0) wrong.push(`${name}: a secret is shown`);
    const count = select(bed.wire.entries(), { endpoint: "idp.revocation" }).length;
    if (count !== 1) wrong.push(`${name}: ${count} requests`);
  }
  assertEquals(wrong, []);
  const metadata = { ...client.metadata, revocationEndpoint: null };
  const { http, readSecret, provider } = new LegsClient(bed);
  const signal = AbortSignal.timeout(20_000);
  const none = await revokeToken({
    http,
    readSecret,
    metadata,
    client: provider.client,
    signal,
    token: refreshToken,
    hint: "refresh_token",
  });
  assertEquals(none, { kind: "not-offered" });
});
