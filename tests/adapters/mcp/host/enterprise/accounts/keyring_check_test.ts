import { assertEquals, assertRejects } from "@std/assert";
import { test } from "node:test";
import { createDigest } from "../../../../../../adapters/http/transport/digest.ts";
import type { GrantSource } from "../../../../../../adapters/http/grants/grant_source.ts";
import { MemoryGrantSource } from "../../../../../../adapters/http/grants/memory_grant_source.ts";
import { createEnterpriseServers } from "../../../../../../adapters/mcp/host/enterprise/threads/create_enterprise_servers.ts";
import { KeyringCheck } from "../../../../../../adapters/mcp/host/enterprise/accounts/keyring_check.ts";
import { EnterpriseError } from "../../../../../../core/enterprise/error.ts";
import type { ServerStatus } from "../../../../../../core/enterprise/status/status.ts";
import { store } from "../../../../http/fake_legs.ts";
import { CONFIGURATION, fakeDeskParts } from "../fake_servers.ts";

const NEVER: ServerStatus = { kind: "signed-out", because: "not-signed-in" };

type Trouble = "KEYRING_ABSENT" | "KEYRING_LOCKED" | "LOCK_TIMEOUT" | null;

/** Grants in memory, behind a keyring that has a trouble. */
class TroubledSource implements GrantSource {
  readonly owned: boolean;
  readonly inner = new MemoryGrantSource();
  trouble: Trouble;
  reads = 0;

  constructor(trouble: Trouble, owned = true) {
    this.trouble = trouble;
    this.owned = owned;
  }

  marker(): ReturnType<GrantSource["marker"]> {
    return this.inner.marker();
  }

  locked: GrantSource["locked"] = (work, signal) =>
    this.inner.locked((grants) =>
      work({
        ...grants,
        read: (key) => {
          this.reads += 1;
          return this.trouble === null
            ? grants.read(key)
            : Promise.reject(new EnterpriseError(this.trouble, "Cannot read the keyring"));
        },
      }), signal);
}

function begin(source: GrantSource) {
  const clock = { time: 1_000, now: (): number => clock.time };
  const { providers: [provider] } = CONFIGURATION;
  if (provider === undefined) throw new Error("There is a provider");
  const placeOf = (server: string) => server === "notes" ? { provider, source } : null;
  return { clock, look: new KeyringCheck({ digest: createDigest(), clock, placeOf }) };
}

test("a keyring that is closed is why nobody is signed in, and is asked again after a while", async () => {
  for (
    const [trouble, kind] of [["KEYRING_ABSENT", "keyring-absent"], [
      "KEYRING_LOCKED",
      "keyring-locked",
    ]] as const
  ) {
    const source = new TroubledSource(trouble);
    const { look, clock } = begin(source);
    assertEquals(look.statusAt("notes", NEVER), NEVER);
    const both = await Promise.all([look.look("notes"), look.look("notes")]);
    assertEquals([...both.map((error) => error?.code), source.reads], [trouble, trouble, 1]);
    assertEquals(look.statusAt("notes", NEVER), { kind });
    const signedOut = { kind: "signed-out", because: "signed-out" } as const;
    assertEquals([look.statusAt("notes", signedOut), look.statusAt("other", NEVER)], [signedOut, NEVER]);
    source.trouble = null;
    assertEquals([(await look.look("notes"))?.code, source.reads], [trouble, 1]);
    clock.time += 60;
    assertEquals([await look.look("notes"), source.reads, look.statusAt("notes", NEVER)], [null, 2, NEVER]);
    clock.time += 60;
    assertEquals([await look.look("notes"), source.reads], [null, 2]); // one that answers is not asked again
  }
});

test("with a marker, with tokens of the program, and without a server the keyring is not asked", async () => {
  const signedIn = new TroubledSource("KEYRING_LOCKED");
  await store(signedIn.inner);
  const supplied = new TroubledSource("KEYRING_LOCKED", false);
  for (const source of [signedIn, supplied]) {
    assertEquals([await begin(source).look.look("notes"), source.reads], [null, 0]);
  }
  assertEquals(await begin(new TroubledSource("KEYRING_LOCKED")).look.look("other"), null);
});

test("only an error that asks for a sign-in is explained, and a lock that is held explains nothing", async () => {
  const required = new EnterpriseError("SIGN_IN_REQUIRED", "Sign in");
  const other = new EnterpriseError("SUPERSEDED", "Again");
  const { look } = begin(new TroubledSource("KEYRING_ABSENT"));
  assertEquals((await look.explain(required, "notes") as EnterpriseError).code, "KEYRING_ABSENT");
  assertEquals(await look.explain(other, "notes"), other);
  assertEquals(await begin(new TroubledSource("LOCK_TIMEOUT")).look.explain(required, "notes"), required);
  assertEquals(await begin(new TroubledSource(null)).look.explain(required, "notes"), required);
});

test("a thread and a status say of a keyring what it is, where nobody ever signed in", async () => {
  for (const account of [null, { user: "alice", workspace: null }]) {
    const { options } = await fakeDeskParts({ grants: () => new TroubledSource("KEYRING_ABSENT") });
    const enterprise = createEnterpriseServers(options);
    await enterprise.load(CONFIGURATION);
    enterprise.openThread("one", account);
    const error = await assertRejects(() => enterprise.connection("one", "notes"), EnterpriseError);
    assertEquals(error.code, "KEYRING_ABSENT");
    await enterprise.look();
    assertEquals(enterprise.status("notes").kind, "keyring-absent");
    await enterprise.close();
  }
});
