import { assertEquals } from "@std/assert";
import { test } from "node:test";
import { withRevoked } from "../../../../../../adapters/mcp/host/enterprise/accounts/revoked_use.ts";
import { initialState, threadOf } from "../../../../../../core/enterprise/authorization/state.ts";
import { USE } from "../../../../http/fake_legs.ts";

test("a use that the host holds for revoked is revoked in the state, and every other stays as it is", () => {
  const thread = { owner: null, generation: "g", fingerprint: null, revoked: null };
  const other = { ...thread, thread: "two", server: "notes" };
  const state = { ...initialState("host"), threads: [{ ...thread, ...USE }, other] };
  assertEquals(withRevoked(state, { ...USE, revoked: null }), state);
  const held = withRevoked(state, { ...USE, revoked: "account-changed" });
  assertEquals(threadOf(held, USE)?.revoked, "account-changed");
  assertEquals(threadOf(held, other), other);
});
