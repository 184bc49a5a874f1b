import { assert, assertEquals, assertMatch } from "@std/assert";
import { test } from "node:test";
import { checkProvider } from "../../../../adapters/cli/doctor/provider.ts";
import { Discovery } from "../../../../adapters/http/discovery/discovery.ts";
import { EnterpriseError } from "../../../../core/enterprise/error.ts";
import { jsonAnswer, noSignal, testClock, testHttp, textAnswer } from "../../http/answers.ts";
import { documentOf, IDP, PROVIDER, readSecret, SECRET } from "../../http/parties.ts";

const PLACE = `${IDP}/.well-known/openid-configuration`;

/** The findings with this document; `null`: nobody answers. */
async function look(document: object | null) {
  const http = testHttp(({ url }) => {
    if (document === null) {
      throw new EnterpriseError("TEMPORARILY_UNAVAILABLE", "Cannot reach it", { reason: "tls" });
    }
    return url === PLACE ? jsonAnswer(document) : textAnswer("", 404);
  });
  const discovery = new Discovery({ http, clock: testClock(), random: () => 0 });
  const findings = await checkProvider(PROVIDER, { discovery, readSecret, signal: noSignal() });
  assert(!JSON.stringify([findings, http.requests]).includes(SECRET));
  assertEquals(findings.map(({ id, subject }) => [id, subject]), [["client-secret", "default"], [
    "idp",
    "default",
  ]]);
  assertEquals(findings[0]?.status, "ok");
  return findings[1]!;
}

test("a provider that can be used says what it supports, as far as it lists that", async () => {
  const silent = await look(documentOf(IDP));
  assertEquals(silent.status, "ok", silent.found);
  const types = {
    identity_chaining_requested_token_types_supported: ["urn:ietf:params:oauth:token-type:id-jag"],
  };
  const full = await look({
    ...documentOf(IDP),
    ...types,
    token_endpoint_auth_methods_supported: ["client_secret_post"],
    authorization_endpoint: `${IDP}/authorize`,
    device_authorization_endpoint: `${IDP}/device`,
  });
  assertEquals(
    full.found,
    `"${IDP}" publishes its metadata; it supports ID-JAG; the client authenticates by client_secret_post, which it ` +
      "lists; a sign-in is possible in the browser and on another device",
  );
});

test("one that cannot has a code and the fix for that", async () => {
  const rows: readonly (readonly [object | null, string, RegExp])[] = [
    [null, "TEMPORARILY_UNAVAILABLE", /certificate/],
    [{ ...documentOf(IDP), issuer: `${IDP}/other` }, "DISCOVERY_REFUSED", /exactly as its metadata/],
    [
      { ...documentOf(IDP), grant_types_supported: ["password"] },
      "DISCOVERY_REFUSED",
      /enable the grant type/,
    ],
    [
      { ...documentOf(IDP), identity_chaining_requested_token_types_supported: [] },
      "DISCOVERY_REFUSED",
      /enable ID-JAG/,
    ],
    [
      { ...documentOf(IDP), token_endpoint_auth_methods_supported: ["private_key_jwt"] },
      "CLIENT_REFUSED",
      /register the client/,
    ],
  ];
  for (const [document, code, fix] of rows) {
    const finding = await look(document);
    assertEquals([finding.status, finding.code], ["failed", code], finding.found);
    assertMatch(finding.fix ?? "", fix);
  }
});
