import { assertEquals, assertMatch, assertThrows } from "@std/assert";
import { test } from "node:test";
import { failedFinding } from "../../../../adapters/cli/doctor/failed_finding.ts";
import { EnterpriseError, type EnterpriseErrorCode } from "../../../../core/enterprise/error.ts";

test("a document that is nowhere names the key and the places that were asked", () => {
  const error = new EnterpriseError("DISCOVERY_REFUSED", "m", { reason: "not-found" });
  const places = ["https://a.example/one", "https://a.example/two"];
  assertEquals(
    failedFinding(error, { ...about, places }).fix,
    "check the.field (asked: https://a.example/one, https://a.example/two), then run: codex-mcp doctor",
  );
});

const about = { id: "idp", subject: "acme", field: "the.field" };

test("an error is a finding with its code, and a fix that names the command that looks again", () => {
  const rows: readonly (readonly [EnterpriseErrorCode, string, RegExp])[] = [
    ["TEMPORARILY_UNAVAILABLE", "network", /^check the network/],
    ["TEMPORARILY_UNAVAILABLE", "tls", /^have its certificate/],
    ["TEMPORARILY_UNAVAILABLE", "unheard-of", /^check the network/],
    ["DISCOVERY_REFUSED", "issuer-mismatch", /^write the issuer exactly/],
    ["DISCOVERY_REFUSED", "unheard-of", /^check the\.field/],
    ["KEYRING_ABSENT", "no-service", /^start it/],
    ["KEYRING_LOCKED", "locked", /^unlock it/],
    ["CLIENT_REFUSED", "method-unsupported", /^register the client/],
    ["LOCK_TIMEOUT", "", /^let the other program end/],
    ["URL_REFUSED", "", /^correct the\.field/],
    ["CONFIGURATION_REFUSED", "SECRET_MISSING", /^put the secret where the\.field says/],
    ["EXTENSION_REQUIRED", "", /^check the\.field/],
  ];
  for (const [code, reason, fix] of rows) {
    const finding = failedFinding(new EnterpriseError(code, "Cannot go on: why.", { reason }), about);
    assertEquals([finding.status, finding.code, finding.subject, finding.found], [
      "failed",
      code,
      "acme",
      "Cannot go on: why",
    ]);
    assertMatch(finding.fix ?? "", fix, `${code} ${reason}`);
    assertMatch(finding.fix ?? "", /run: codex-mcp doctor$/);
  }
});

test("what is no error of ours is none of the machine's", () => {
  assertThrows(() => failedFinding(new RangeError("a bug"), about), RangeError, "a bug");
});
