import { assertEquals } from "@std/assert";
import { test } from "node:test";
import { createClosingLegs } from "../../../../../../adapters/mcp/host/enterprise/accounts/closing_legs.ts";
import type { Registration } from "../../../../../../core/enterprise/grant/key.ts";
import { createFakeLegs, recordOf } from "../../../../http/fake_legs.ts";
import { CONFIGURATION } from "../fake_servers.ts";

function registration(): Registration {
  const { servers: [server], providers: [provider] } = CONFIGURATION;
  if (server === undefined || provider === undefined) throw new Error("There is a server");
  return { server, provider };
}

test("closing ends what leaves nothing to store, and what presents a refresh token goes on", () => {
  const inner = createFakeLegs();
  const signals = new Map<string, AbortSignal>();
  const note = (name: string, signal: AbortSignal): Promise<never> => {
    signals.set(name, signal);
    return new Promise(() => {});
  };
  const closing = new AbortController();
  const legs = createClosingLegs({
    ...inner,
    locate: (_registration, signal) => note("locate", signal),
    exchange: (_registration, { subjectToken, signal }) => note(subjectToken, signal),
    redeem: (_registration, { signal }) => note("redeem", signal),
    refresh: (_provider, { signal }) => note("refresh", signal),
    revoke: (_provider, { signal }) => note("revoke", signal),
  }, closing.signal);
  const at = registration();
  const { signal } = new AbortController();
  const onRotated = (): Promise<void> => Promise.resolve();
  const exchanged = { token: "t", scopes: null, onRotated, facts: inner.facts, signal };
  void legs.locate(at, signal);
  void legs.exchange(at, { ...exchanged, subjectToken: "id_token" });
  void legs.exchange(at, { ...exchanged, subjectToken: "refresh_token" });
  void legs.redeem(at, { assertion: "a", scopes: null, facts: inner.facts, signal });
  void legs.refresh(at.provider, {
    refreshToken: "r",
    idToken: null,
    account: recordOf(),
    onRotated,
    signal,
  });
  void legs.revoke(at.provider, { token: "r", signal });
  closing.abort();
  assertEquals([...signals].map(([name, { aborted }]) => [name, aborted]), [
    ["locate", true],
    ["id_token", true],
    ["refresh_token", false],
    ["redeem", true],
    ["refresh", false],
    ["revoke", false],
  ]);
});

test("what is given and what comes back is as it was, and a caller ends its own request", async () => {
  const inner = createFakeLegs();
  const legs = createClosingLegs(inner, new AbortController().signal);
  assertEquals(await legs.locate(registration(), new AbortController().signal), inner.facts);
  legs.forget();
  assertEquals(inner.asked, ["locate", "forget"]);
  const caller = new AbortController();
  let seen: AbortSignal | undefined;
  const silent = createClosingLegs(
    { ...inner, locate: (_registration, signal) => ((seen = signal), new Promise(() => {})) },
    new AbortController().signal,
  );
  void silent.locate(registration(), caller.signal);
  caller.abort();
  assertEquals(seen?.aborted, true);
});
