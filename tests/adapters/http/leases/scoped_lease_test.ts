import { assertEquals, assertRejects } from "@std/assert";
import { test } from "node:test";
import { scopedLease } from "../../../../adapters/http/leases/scoped_lease.ts";
import { ScopeMemory } from "../../../../adapters/http/leases/scope_memory.ts";
import type { LeaseRequest } from "../../../../adapters/http/leases/leases.ts";
import { EnterpriseError, type EnterpriseErrorCode } from "../../../../core/enterprise/error.ts";
import type { ServerEntry } from "../../../../adapters/http/authorization/server_registry.ts";
import { configurationOf, USE } from "../fake_legs.ts";

test("asked for now, got before, configured: in this order; what is refused is forgotten", async () => {
  const memory = new ScopeMemory(() => "in force");
  const wanted: (readonly [readonly string[] | null, boolean])[] = [];
  let refusal: EnterpriseErrorCode | null = null;
  const leases = {
    lease: ({ scopes, stepUp }: LeaseRequest) => {
      wanted.push([scopes, stepUp]);
      if (refusal !== null) return Promise.reject(new EnterpriseError(refusal, "Cannot go on"));
      return Promise.resolve({ lease: "l", binding: "b", token: "t" });
    },
  };
  const context = { leases, registry: { find: () => undefined }, memory };
  await scopedLease(USE, context);
  await scopedLease(USE, { ...context, scopes: ["write"] });
  memory.set(USE, ["admin"]);
  await scopedLease(USE, context);
  assertEquals(wanted, [[null, false], [["write"], true], [["admin"], true]]);
  refusal = "TEMPORARILY_UNAVAILABLE";
  await assertRejects(() => scopedLease(USE, context), EnterpriseError);
  assertEquals(memory.get(USE), ["admin"]);
  refusal = "SCOPE_REFUSED";
  await assertRejects(() => scopedLease(USE, context), EnterpriseError);
  assertEquals(memory.get(USE), undefined);
});

test("what was got before is asked for only as long as the configuration allows it", async () => {
  const memory = new ScopeMemory(() => "in force");
  const wanted: (readonly string[] | null)[] = [];
  const leases = {
    lease: ({ scopes }: LeaseRequest) => {
      wanted.push(scopes);
      return Promise.resolve({ lease: "l", binding: "b", token: "t" });
    },
  };
  memory.set(USE, ["read", "admin"]);
  for (const allow_scopes of [["read", "admin"], ["read"], undefined]) {
    const { servers: [server] } = configurationOf(allow_scopes === undefined ? {} : { allow_scopes });
    if (server === undefined) throw new Error("Cannot read the configuration");
    const registry = { find: () => ({ server }) as ServerEntry };
    await scopedLease(USE, { leases, registry, memory });
  }
  assertEquals(wanted, [["read", "admin"], ["read"], ["read", "admin"]]);
});
