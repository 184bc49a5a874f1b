import { assert, assertEquals, assertRejects } from "@std/assert";
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { test } from "node:test";
import { createAuthProvider } from "../../../../adapters/http/tokens/auth_provider.ts";
import { EnterpriseError } from "../../../../core/enterprise/error.ts";
import { SERVER_URL, startFakeHost, USE } from "../fake_legs.ts";

test("it shows no bearer, and is refused when there is none", async () => {
  let count = 0;
  const lease = () => Promise.resolve({ lease: "lease", binding: "b", token: `s3cret-${count += 1}` });
  const provider = createAuthProvider({ server: "notes", lease });
  assertEquals((await provider.token()).includes("s3cret"), false);
  assertEquals(count, 1);
  const error = await assertRejects(() => provider.onUnauthorized(), EnterpriseError);
  assertEquals([error.code, error.reason], ["CONFIGURATION_REFUSED", "fetch-not-ours"]);
  const refused = new EnterpriseError("SIGN_IN_REQUIRED", "Cannot use it: nobody is signed in");
  const none = createAuthProvider({ server: "notes", lease: () => Promise.reject(refused) });
  assertEquals(await none.token().catch((thrown) => thrown), refused);
});

const PING = { jsonrpc: "2.0", method: "ping", id: 1 } as const;

test("in a transport of the SDK the bearer goes to the configured URL alone, and only by our fetch", async () => {
  const sent: [url: string, authorization: string | null][] = [];
  const answers = [202, 401];
  const fetch = ((input: string | URL, init?: RequestInit): Promise<Response> => {
    sent.push([String(input), new Headers(init?.headers).get("authorization")]);
    return Promise.resolve(new Response(null, { status: answers.shift() ?? 202 }));
  }) as typeof globalThis.fetch;
  const { tokens } = await startFakeHost({ fetch });
  const authProvider = tokens.authProvider(USE);
  const ours = tokens.authenticatedFetch(USE);
  const send = async (url: string, own: typeof ours): Promise<void> => {
    const transport = new StreamableHTTPClientTransport(new URL(url), { authProvider, fetch: own });
    await transport.start();
    await transport.send(PING).finally(() => transport.close());
  };
  await send(SERVER_URL, ours);
  assertEquals(sent, [[SERVER_URL, "Bearer bearer-1"]]);
  const elsewhere = await assertRejects(() => send("https://evil.example/mcp", ours), EnterpriseError);
  assertEquals([elsewhere.code, sent.length], ["URL_REFUSED", 1]);
  // a fetch that is not ours: no bearer goes anywhere, and a 401 says why
  const other = await assertRejects(() => send("https://evil.example/mcp", fetch), EnterpriseError);
  assertEquals([other.reason, sent.length], ["fetch-not-ours", 2]);
  const [url, authorization] = sent[1] ?? [];
  assertEquals(url, "https://evil.example/mcp");
  assert(authorization?.startsWith("Bearer ") && !authorization.includes("bearer-"));
});
