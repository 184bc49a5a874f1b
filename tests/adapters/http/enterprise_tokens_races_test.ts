import { assertEquals, assertRejects } from "@std/assert";
import { test } from "node:test";
import { EnterpriseError } from "../../../core/enterprise/error.ts";
import { configurationOf, OWNER, SERVER_URL, startFakeHost, USE } from "./fake_legs.ts";

const ELSEWHERE = "https://new.example/mcp";

/** A server that holds its first answer until it is let go, and remembers where bearers went. */
function holdingServer(
  first: Response,
): { fetch: typeof fetch; sent: string[]; letGo: () => void; asked: Promise<void> } {
  const sent: string[] = [];
  let letGo: () => void = () => {};
  let ask: () => void = () => {};
  const gone = new Promise<void>((resolve) => letGo = resolve);
  const asked = new Promise<void>((resolve) => ask = resolve);
  const answer = async (url: string | URL | Request): Promise<Response> => {
    sent.push(String(url));
    if (sent.length > 1) return new Response("ok");
    ask();
    await gone;
    return first;
  };
  return { fetch: answer as typeof fetch, sent, letGo, asked };
}

for (
  const [name, first] of [
    ["a refusal", () => new Response(null, { status: 401 })],
    ["a call for more scopes", () =>
      new Response(null, {
        status: 403,
        headers: { "www-authenticate": 'Bearer error="insufficient_scope", scope="admin"' },
      })],
  ] as const
) {
  test(`after ${name}, the bearer of a new registration does not go to the old URL`, async () => {
    const server = holdingServer(first());
    const { tokens } = await startFakeHost({ fetch: server.fetch });
    await tokens.openThread(USE);
    const call = tokens.authenticatedFetch(USE)(SERVER_URL, { method: "POST", body: "{}" });
    await server.asked;
    await tokens.loadConfiguration(configurationOf({ url: ELSEWHERE }));
    await tokens.reauthorizeThread(USE);
    server.letGo();
    assertEquals((await assertRejects(() => call, EnterpriseError)).code, "SUPERSEDED");
    assertEquals(server.sent, [SERVER_URL]);
  });
}

test("the account that the host named last counts, however long the names take", async () => {
  const { tokens } = await startFakeHost({ ownerFrom: "host" });
  await Promise.all([tokens.setAccount(OWNER), tokens.setAccount(null)]);
  await tokens.openThread(USE);
  assertEquals((await assertRejects(() => tokens.token(USE), EnterpriseError)).code, "SIGN_IN_REQUIRED");
});

test("a configuration that was rejected meanwhile is not taken", async () => {
  const { tokens } = await startFakeHost({});
  const load = tokens.loadConfiguration(configurationOf());
  tokens.rejectConfiguration({ field: "field", layer: null });
  await load;
  await tokens.openThread(USE);
  assertEquals((await assertRejects(() => tokens.token(USE), EnterpriseError)).code, "CONFIGURATION_REFUSED");
});
