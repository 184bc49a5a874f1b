/**
 * The table of retention and revocation, the rows about the registration of a server, over the whole test bed: what a
 * changed, removed, disabled or moved server loses, and that nothing but a person gives it back.
 *
 * @module
 */

import { assert, assertEquals } from "@std/assert";
import { test } from "node:test";
import type { EnterpriseErrorCode } from "../../../../core/enterprise/error.ts";
import { type EnterpriseBed, select, startEnterpriseBed } from "../../../fixtures/enterprise/mod.ts";
import { refused, SECOND, stored, USE } from "./checks.ts";
import { type Host, type HostOptions, startHost } from "./host.ts";

interface Row {
  /** What the configuration becomes. */
  readonly change: Pick<HostOptions, "server" | "idp" | "without" | "feature">;
  /** Code and reason while it is so. */
  readonly code: EnterpriseErrorCode;
  readonly reason: string;
  /** Status while it is so: kind, and code or reason of it. */
  readonly status: readonly [kind: string, why: string];
  /** Why the thread is revoked, once the configuration is as before. */
  readonly revoked: string;
}

const ROWS: Readonly<Record<string, Row>> = {
  "the registration changed": {
    change: { server: { scopes: ["notes:write"] } },
    code: "REAUTHORIZATION_REQUIRED",
    reason: "registration-changed",
    status: ["reconnect", "registration-changed"],
    revoked: "registration-changed",
  },
  "the server was removed": {
    change: { without: ["notes"] },
    code: "SERVER_DISABLED",
    reason: "SERVER_UNKNOWN",
    status: ["reconnect", "server-removed"],
    revoked: "server-removed",
  },
  "the feature is off": {
    change: { feature: false },
    code: "SERVER_DISABLED",
    reason: "FEATURE_OFF",
    status: ["disabled", "FEATURE_OFF"],
    revoked: "server-disabled",
  },
  "the server is switched off": {
    change: { server: { enabled: false } },
    code: "SERVER_DISABLED",
    reason: "SWITCHED_OFF",
    status: ["disabled", "SWITCHED_OFF"],
    revoked: "server-disabled",
  },
};

/** A signed-in host with a thread and an open stream at the first server. */
async function begin(bed: EnterpriseBed): Promise<{ host: Host; generation: string; stream: AbortSignal }> {
  const host = await startHost(bed);
  const { generation } = await host.signIn();
  await host.tokens.token(USE);
  return { host, generation, stream: host.tokens.revocation(USE) };
}

for (const [name, { change, code, reason, status, revoked }] of Object.entries(ROWS)) {
  test(`${name}: its own leases dropped, its threads revoked, the grant kept`, async () => {
    await using bed = await startEnterpriseBed();
    const { host, generation, stream } = await begin(bed);
    host.effects.length = 0;
    await host.load(change);
    const kinds = host.effects.map(({ kind }) => kind);
    assert(
      ["cancel-pending", "drop-lease", "revoke-thread"].every((kind) => kinds.some((one) => one === kind)),
    );
    assertEquals(stream.aborted, true);
    bed.wire.clear();
    assertEquals((await refused(host, code)).reason, reason);
    const shown = host.tokens.status("notes", "one");
    const why = shown.kind === "disabled" ? shown.code : shown.kind === "reconnect" ? shown.because : "";
    assertEquals([shown.kind, why], status);
    assertEquals((await stored(host))?.generation, generation);
    await host.load({});
    for (const _ of [1, 2]) {
      assertEquals((await refused(host, "REAUTHORIZATION_REQUIRED")).reason, revoked);
      host.tokens.closeThread("one");
      await host.tokens.openThread(USE);
      host.tokens.retryServer("notes");
    }
    assertEquals(select(bed.wire.entries(), { endpoint: "idp.exchange" }), [], "something was presented");
    assertEquals(await host.tokens.reauthorizeThread(USE), true);
    await host.tokens.token(USE);
  });
}

test("a server that is removed leaves the others alone", async () => {
  await using bed = await startEnterpriseBed();
  const { host } = await begin(bed);
  const other = await host.tokens.token(SECOND);
  await host.load({ without: ["notes"] });
  assertEquals(await host.tokens.token(SECOND), other);
});

test("another client at the identity provider: signed in there too, the thread is not authorized by that", async () => {
  await using bed = await startEnterpriseBed({ profile: "conformance" });
  const { host } = await begin(bed);
  await host.tokens.signOut("default");
  await host.load({ idp: { client_id: bed.idp.otherClient.id } });
  await host.signIn();
  await host.tokens.openThread(USE);
  bed.wire.clear();
  assertEquals((await refused(host, "REAUTHORIZATION_REQUIRED")).reason, "registration-changed");
  assertEquals(bed.wire.entries(), []);
  assertEquals(await host.tokens.reauthorizeThread(USE), true);
});
