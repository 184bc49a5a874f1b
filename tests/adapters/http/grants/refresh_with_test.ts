import { assertEquals } from "@std/assert";
import { test } from "node:test";
import { refreshWith } from "../../../../adapters/http/grants/refresh_with.ts";
import { type GrantRecord, rotateGrant } from "../../../../core/enterprise/grant/record.ts";
import { configurationOf, createFakeLegs, failureOf, recordOf } from "../fake_legs.ts";

test("a rotated token is stored first, whatever the answer says; a new ID token after it", async () => {
  const [provider] = configurationOf().providers;
  if (provider === undefined) throw new Error("Cannot read the configuration");
  for (const refused of [true, false]) {
    const legs = createFakeLegs();
    Object.assign(legs, { rotated: "refresh-1", renewed: "id-1" });
    if (refused) legs.failures.refresh.push(failureOf("token-exchange", "invalid_grant"));
    let record: GrantRecord = recordOf();
    const grant = {
      get record() {
        return record;
      },
      rotate: (tokens: Parameters<typeof rotateGrant>[1]): Promise<void> => {
        record = rotateGrant(record, tokens);
        return Promise.resolve();
      },
    };
    const { signal } = new AbortController();
    const outcome = await refreshWith(grant, { provider, legs, refreshToken: "refresh-0", signal });
    assertEquals(outcome.succeeded, !refused);
    assertEquals([record.refreshToken, record.idToken], ["refresh-1", refused ? "id-0" : "id-1"]);
  }
});
