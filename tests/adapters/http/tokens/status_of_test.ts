import { assertEquals } from "@std/assert";
import { test } from "node:test";
import { statusOf } from "../../../../adapters/http/tokens/status_of.ts";
import type { Authorization } from "../../../../adapters/http/authorization/authorization.ts";
import { initialState } from "../../../../core/enterprise/authorization/state.ts";
import { transition } from "../../../../core/enterprise/authorization/transition.ts";

test("the status comes from the state, the sign-in and what is known beside them", () => {
  const grant = { key: "k", owner: "k", generation: "g", revision: 0 };
  const server = { name: "notes", fingerprint: "f", disabled: null };
  const loaded = transition(initialState("host"), { kind: "configuration-loaded", servers: [server] });
  const state = { ...loaded.state, grant };
  const signIn = { hasRefreshToken: false, idTokenExpiresAt: 50 };
  const authorization = { state, grant: { signIn } } as unknown as Authorization;
  const question = {
    server: "notes",
    thread: undefined,
    fault: null,
    extension: "advertised",
    now: 10,
  } as const;
  assertEquals(statusOf(authorization, question), { kind: "ready", until: 50, extension: "advertised" });
  assertEquals(statusOf(authorization, { ...question, now: 50 }), { kind: "signed-out", because: "expired" });
  assertEquals(statusOf(authorization, { ...question, server: "never configured" }).kind, "disabled");
  const revoked = {
    thread: "one",
    server: "notes",
    owner: null,
    generation: null,
    fingerprint: null,
  } as const;
  const threads = [{ ...revoked, revoked: "replaced" as const }];
  const later = { state: { ...state, threads }, grant: { signIn } } as unknown as Authorization;
  const about = { ...question, thread: "one" };
  assertEquals(statusOf(later, about), { kind: "reconnect", because: "replaced" });
});
