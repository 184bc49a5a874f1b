import { assertEquals, assertThrows } from "@std/assert";
import { test } from "node:test";
import { createDigest } from "../../../../adapters/http/transport/digest.ts";
import { MemoryGrantSource } from "../../../../adapters/http/grants/memory_grant_source.ts";
import {
  createProviderParts,
  deadlineOf,
  ignoreOurs,
} from "../../../../adapters/http/tokens/provider_parts.ts";
import { createEdgeRuntime } from "../../../../adapters/http/transport/sending.ts";
import { ServerFaults } from "../../../../adapters/http/tokens/server_faults.ts";
import { tagOf } from "../../../../core/enterprise/authorization/tag.ts";
import { EnterpriseError } from "../../../../core/enterprise/error.ts";
import { configurationOf, createFakeLegs, USE } from "../fake_legs.ts";

test("the parts belong together: a revoked thread forgets its scopes, and its effects are seen", () => {
  const [provider] = configurationOf().providers;
  if (provider === undefined) throw new Error("Cannot read the configuration");
  const seen: string[] = [];
  const { authorization, scopes } = createProviderParts({
    provider,
    source: new MemoryGrantSource(),
    faults: new ServerFaults(),
    legs: createFakeLegs(),
    clock: { now: () => 0, sleep: () => Promise.resolve(true) },
    digest: createDigest(),
    runtime: createEdgeRuntime(),
    onEffect: ({ kind }) => void seen.push(kind),
  }, { current: () => provider, refused: () => new EnterpriseError("SUPERSEDED", "Cannot go on") });
  const grant = { key: "k", owner: "k", generation: "g", revision: 0 };
  authorization.dispatch({
    kind: "configuration-loaded",
    servers: [{ name: "notes", fingerprint: "f", disabled: null }],
  });
  authorization.dispatch({ kind: "grant-found", tag: tagOf(authorization.state, null), grant });
  authorization.dispatch({ kind: "thread-opened", ...USE });
  scopes.set(USE, ["write"]);
  assertEquals(scopes.get(USE), ["write"]);
  authorization.dispatch({ kind: "grant-missing", tag: tagOf(authorization.state, null) });
  assertEquals([scopes.get(USE), seen.includes("revoke-thread")], [undefined, true]);
});

test("an error of ours is passed over where it is said later, any other is not", () => {
  ignoreOurs(new EnterpriseError("KEYRING_LOCKED", "Cannot read"));
  assertThrows(() => ignoreOurs(new Error("another")), Error, "another");
  assertEquals(deadlineOf({ deadline: 60 }).aborted, false);
});
