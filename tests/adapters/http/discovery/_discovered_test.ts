/**
 * What a search ends in.
 *
 * @module
 */

import { assertEquals, assertThrows } from "@std/assert";
import { test } from "node:test";
import { asVerdict, found } from "../../../../adapters/http/discovery/_discovered.ts";
import { EnterpriseError } from "../../../../core/enterprise/error.ts";
import { accept } from "../../../../core/enterprise/verdict.ts";
import { IDP, metadataOf } from "../parties.ts";

const REFUSAL = { reason: "issuer-mismatch", section: "RFC 8414, 3.3", message: "Cannot use it" };

test("a document comes with its notes, anything else is an error", () => {
  const notes = [{ reason: "n", message: "m" }];
  assertEquals(found({ kind: "found", accepted: accept(1, notes) }, "it"), { value: 1, notes });
  const refused = assertThrows(
    () => found({ kind: "refused", refusal: REFUSAL, found: true }, "it"),
    EnterpriseError,
  );
  assertEquals(
    [refused.code, refused.reason, refused.section],
    ["DISCOVERY_REFUSED", "issuer-mismatch", "RFC 8414, 3.3"],
  );
  const absent = assertThrows(() => found({ kind: "absent" }, "the metadata"), EnterpriseError);
  assertEquals([absent.reason, absent.message], ["not-found", "Cannot find the metadata: no place holds it"]);
  const error = new EnterpriseError("TEMPORARILY_UNAVAILABLE", "Cannot reach it");
  assertEquals(assertThrows(() => found({ kind: "unavailable", error, retryAfter: 3 }, "it")), error);
});

test("one of several answers is a verdict", () => {
  const accepted = accept(metadataOf(IDP));
  assertEquals(asVerdict({ kind: "found", accepted }), accepted);
  assertEquals(asVerdict({ kind: "refused", refusal: REFUSAL, found: true }), {
    accepted: false,
    refusal: REFUSAL,
  });
  const absent = asVerdict({ kind: "absent" });
  assertEquals(absent.accepted ? null : absent.refusal.reason, "not-found");
});
