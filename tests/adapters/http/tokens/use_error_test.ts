import { assert, assertEquals } from "@std/assert";
import { test } from "node:test";
import { useError } from "../../../../adapters/http/tokens/use_error.ts";
import {
  type AuthorizationState,
  initialState,
  type ServerBlock,
} from "../../../../core/enterprise/authorization/state.ts";
import type { UseRefusal } from "../../../../core/enterprise/authorization/use.ts";

const READY = { kind: "ready", until: null, extension: "unknown" } as const;

function state(block: ServerBlock | null, changes: Partial<AuthorizationState> = {}): AuthorizationState {
  const server = {
    name: "notes",
    fingerprint: "f",
    disabled: "FEATURE_OFF",
    block,
    assertionRefused: false,
    bearerRefused: [],
    unavailable: false,
  };
  return { ...initialState("host"), servers: [server], ...changes };
}

function coded(refusal: UseRefusal, at: AuthorizationState): readonly (string | undefined)[] {
  const error = useError(refusal, {
    thread: "one",
    server: "notes",
    provider: "default",
    status: READY,
    state: at,
  });
  return [error.code, error.reason, error.leg, error.field];
}

test("each refusal has its code", () => {
  const grant = { key: "k", owner: "k", generation: "g", revision: 0 };
  const rejected = { kind: "rejected", field: "a.b", layer: null } as const;
  const none = undefined;
  const rows: readonly (readonly [UseRefusal, AuthorizationState, readonly (string | undefined)[]])[] = [
    ["configuration", state(null), ["CONFIGURATION_UNAVAILABLE", none, none, none]],
    ["configuration", state(null, { configuration: rejected }), ["CONFIGURATION_REFUSED", none, none, "a.b"]],
    ["marker", state(null), ["MARKER_MALFORMED", none, none, none]],
    ["server-unknown", state(null), ["SERVER_DISABLED", "SERVER_UNKNOWN", none, none]],
    ["server-disabled", state(null), ["SERVER_DISABLED", "FEATURE_OFF", none, none]],
    ["thread-revoked", state(null), ["SIGN_IN_REQUIRED", "not-signed-in", none, none]],
    ["thread-unknown", state(null, { grant }), ["REAUTHORIZATION_REQUIRED", "thread-unknown", none, none]],
    ["not-signed-in", state(null, { gone: "refused" }), ["SIGN_IN_REQUIRED", "refused", none, none]],
    ["keyring-closed", { ...state(null), keyring: "locked" }, ["KEYRING_LOCKED", none, none, none]],
    ["keyring-closed", { ...state(null), keyring: "absent" }, ["KEYRING_ABSENT", none, none, none]],
    ["lease-expired", state(null), ["SUPERSEDED", "lease-expired", none, none]],
    ["server-blocked", state(null), ["SUPERSEDED", none, none, none]],
  ];
  for (const [refusal, at, expected] of rows) assertEquals(coded(refusal, at), expected, refusal);
});

test("each block has its code", () => {
  const leg = "redemption";
  const rows: readonly (readonly [ServerBlock, string])[] = [
    [{ kind: "grant-in-doubt" }, "TEMPORARILY_UNAVAILABLE"],
    [{ kind: "identity-refused" }, "ASSERTION_REFUSED"],
    [{ kind: "identity-expired" }, "SIGN_IN_REQUIRED"],
    [{ kind: "administrator", leg }, "ADMINISTRATOR_REFUSED"],
    [{ kind: "assertion" }, "ASSERTION_REFUSED"],
    [{ kind: "client", leg }, "CLIENT_REFUSED"],
    [{ kind: "scope", leg }, "SCOPE_REFUSED"],
    [{ kind: "stronger-sign-in" }, "STRONGER_SIGN_IN_REQUIRED"],
    [{ kind: "binding", leg }, "REDEMPTION_REFUSED"],
    [{ kind: "misconfigured", leg: "token-exchange" }, "EXCHANGE_REFUSED"],
    [{ kind: "moved", what: "issuer" }, "DISCOVERY_REFUSED"],
    [{ kind: "bearer-refused" }, "REAUTHORIZATION_REQUIRED"],
  ];
  for (const [block, code] of rows) assertEquals(coded("server-blocked", state(block))[0], code, block.kind);
});

test("the sentence is the status's, with the next command", () => {
  const status = { kind: "signed-out", because: "not-signed-in" } as const;
  const about = { thread: "one", server: "notes", provider: "acme", state: state(null) };
  assert(useError("not-signed-in", { ...about, status }).message.endsWith("Run: codex-mcp login --idp acme"));
  assert(useError("server-unknown", { ...about, status }).message.includes("does not name it"));
  assert(useError("lease-expired", { ...about, status: READY }).message.includes("changed"));
});
