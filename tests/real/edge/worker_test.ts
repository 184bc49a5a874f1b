/**
 * The Worker of `examples/worker` in the real workerd, without Node's modules: the whole exchange over the enterprise
 * test bed, with every request counted on the wire, by one object for each account.
 *
 * @module
 */

import { assert, assertEquals } from "@std/assert";
import { test } from "node:test";
import { startWorker, type WorkerProcess } from "../../../scripts/demo/worker_process.ts";
import {
  countConcurrent,
  countSequentialLegs,
  type EnterpriseBed,
  findSecret,
  type Forgery,
  PROFILE_NAMES,
  type ProfileName,
  select,
  startEnterpriseBed,
} from "../../fixtures/enterprise/mod.ts";
import { signIn } from "../../fixtures/enterprise/trace/trace.ts";

/** A bed, the Worker over it, and the people who are signed in. */
interface Stage {
  readonly bed: EnterpriseBed;
  readonly worker: WorkerProcess;
  /** The ID token of a new sign-in, forged if so ordered. */
  signIn(account: string, forgery?: Forgery): Promise<string>;
  /** Calls a tool of the server through the Worker. */
  call(
    idToken: string | null,
    options?: { readonly tool?: string; readonly body?: BodyInit; readonly signal?: AbortSignal },
  ): Promise<Answer>;
}

interface Answer {
  readonly status: number;
  /** What the tool `whoami` said. */
  readonly seen: Readonly<Record<string, unknown>>;
  readonly code: unknown;
}

/** Runs `play`, and looks through all that the Worker answered and wrote for secrets. */
async function onStage(play: (stage: Stage) => Promise<void>, profile?: ProfileName): Promise<void> {
  await using bed = await startEnterpriseBed(profile === undefined ? {} : { profile });
  await using worker = await startWorker(bed, "examples/worker/worker.ts");
  const answers: string[] = [];
  await play({
    bed,
    worker,
    signIn: async (account, forgery) => {
      const undo = forgery === undefined ? () => {} : bed.forge("id-token", forgery);
      const { tokens } = await signIn(bed, { login_hint: account });
      undo();
      return String(tokens?.["id_token"]);
    },
    call: async (idToken, { tool = "whoami", body = "{}", signal } = {}) => {
      const response = await fetch(`${worker.url}/tools/${tool}`, {
        method: "POST",
        headers: idToken === null ? {} : { authorization: `Bearer ${idToken}` },
        body,
        signal: signal ?? null,
      });
      const text = await response.text();
      answers.push(text);
      const { content, error } = JSON.parse(text);
      return { status: response.status, seen: JSON.parse(content?.[0]?.text ?? "{}"), code: error?.code };
    },
  });
  const shown = [worker.output(), ...answers].join("\n");
  const secrets = bed.secretsInPlay();
  assert(secrets.length > 2);
  assertEquals(secrets.filter((secret) => shown.includes(secret)), []);
  assertEquals(answers.filter((answer) => answer.includes("codex-mcp")), []); // nobody on the web has a terminal
  assertEquals(select(bed.wire.entries(), { site: "elsewhere" }), []);
}

function counts(bed: EnterpriseBed): Readonly<Record<"exchange" | "redemption" | "mcp", number>> {
  const count = (endpoint: "idp.exchange" | "as.token" | "mcp.endpoint"): number =>
    select(bed.wire.entries(), { endpoint }).length;
  return { exchange: count("idp.exchange"), redemption: count("as.token"), mcp: count("mcp.endpoint") };
}

async function until(isSo: () => boolean): Promise<void> {
  for (let left = 100; !isSo() && left > 0; left -= 1) await new Promise((wake) => setTimeout(wake, 50));
  assert(isSo());
}

test("a cold call takes five legs that wait for each other, a warm one a single request", async () => {
  await onStage(async ({ bed, signIn, call }) => {
    const idToken = await signIn("alice");
    bed.wire.clear();
    bed.latency = 60;
    const cold = await call(idToken);
    assertEquals([cold.status, cold.seen["account"], cold.seen["client"]], [200, "alice", bed.as.client.id]);
    assertEquals(counts(bed), { exchange: 1, redemption: 1, mcp: 2 });
    // the Worker's own look at the keys is the one before
    const legs = bed.wire.entries().filter(({ endpoint }) => endpoint !== "idp.jwks");
    assertEquals(countSequentialLegs(legs), 5);
    const [exchange] = select(legs, { endpoint: "idp.exchange" });
    assertEquals(exchange?.params?.["subject_token"], idToken);
    assertEquals(exchange?.params?.["audience"], bed.as.issuer);
    assertEquals(exchange?.params?.["resource"], bed.mcp.url);
    const [redemption] = select(legs, { endpoint: "as.token" });
    assertEquals(redemption?.params?.["resource"], bed.mcp.url);
    assert(findSecret(legs, idToken).every(({ endpoint }) => endpoint === "idp.exchange"));
    const bearer = select(legs, { endpoint: "mcp.endpoint" })[0]?.headers["authorization"]?.slice(7) ?? "";
    assert(findSecret(legs, bearer).every(({ endpoint }) => endpoint === "mcp.endpoint"));
    bed.wire.clear();
    assertEquals((await call(idToken)).seen["token"], cold.seen["token"]);
    assertEquals(bed.wire.entries().map(({ endpoint }) => endpoint), ["mcp.endpoint"]);
  });
});

for (const profile of PROFILE_NAMES.filter((name) => name !== "ping-refresh")) {
  test(`a call reaches the server with a token of the account (${profile})`, async () => {
    await onStage(async ({ bed, signIn, call }) => {
      const { status, seen } = await call(await signIn("alice"));
      assertEquals([status, seen["account"], seen["resource"]], [200, "alice", bed.mcp.url]);
      const { exchange, redemption } = counts(bed);
      assertEquals([exchange, redemption], [1, 1]);
    }, profile);
  });
}

test("twenty first calls at once make one exchange, and another account has its own", async () => {
  await onStage(async ({ bed, signIn, call }) => {
    const [alice, bob] = [await signIn("alice"), await signIn("bob")];
    bed.wire.clear();
    bed.latency = 30;
    const people = Array.from({ length: 40 }, (_, index) => index % 2 === 0 ? "alice" : "bob");
    const answers = await Promise.all(people.map((name) => call(name === "alice" ? alice : bob)));
    assertEquals(answers.map(({ seen }) => seen["account"]), people);
    assertEquals(new Set(answers.map(({ seen }) => seen["token"])).size, 2);
    const { exchange, redemption } = counts(bed);
    assertEquals([exchange, redemption], [2, 2]);
    assertEquals(countConcurrent(select(bed.wire.entries(), { endpoint: "idp.exchange" })), 2);
  });
});

test("a token is renewed ahead of its end, after the request that saw to it was answered", async () => {
  await onStage(async ({ bed, signIn, call }) => {
    const idToken = await signIn("alice");
    bed.as.controls.accessTokenLifetime = 6;
    const first = await call(idToken);
    bed.as.controls.accessTokenLifetime = 300;
    bed.wire.clear();
    bed.latency = 150; // far longer than a call of one request takes from here on
    await new Promise((wake) => setTimeout(wake, 3_200));
    assertEquals((await call(idToken)).seen["token"], first.seen["token"]);
    await until(() => counts(bed).redemption === 1);
    await until(() => bed.wire.entries().every(({ endedAt }) => endedAt !== null));
    const renewed = await call(idToken);
    assert(renewed.seen["token"] !== first.seen["token"]);
    assertEquals(counts(bed), { exchange: 1, redemption: 1, mcp: 2 });
  });
});

test("a caller that goes away leaves its exchange to the one who waits, and to the next", async () => {
  await onStage(async ({ bed, signIn, call }) => {
    const idToken = await signIn("alice");
    bed.wire.clear();
    const hold = bed.faults.hold("as.token");
    const stalled = bed.wire.nextStall("as.token");
    const caller = new AbortController();
    const gone = call(idToken, { signal: caller.signal }).then(() => "answered", () => "gone");
    await stalled;
    const waiting = call(idToken);
    caller.abort();
    assertEquals(await gone, "gone");
    hold.release();
    assertEquals((await waiting).seen["account"], "alice");
    assertEquals((await call(idToken)).status, 200);
    const { exchange, redemption } = counts(bed);
    assertEquals([exchange, redemption], [1, 1]);
  });
});

test("a 401 drops the bearer, and one more is got for all who met it", async () => {
  await onStage(async ({ bed, signIn, call }) => {
    const idToken = await signIn("alice");
    const before = await call(idToken);
    bed.wire.clear();
    bed.revokeAccessTokens();
    const answers = await Promise.all(Array.from({ length: 20 }, () => call(idToken)));
    assertEquals(new Set(answers.map(({ status }) => status)), new Set([200]));
    assert(answers.every(({ seen }) => seen["token"] !== before.seen["token"]));
    const { exchange, redemption } = counts(bed);
    assertEquals([exchange, redemption], [1, 1]);
  });
});

test("an ID-JAG for someone else is not redeemed, and no redirect takes a bearer or an assertion along", async () => {
  await onStage(async ({ bed, signIn, call }) => {
    // a refusal stays with the sign-in that met it, so each one has its own
    bed.forge("id-jag", { claims: (claims) => ({ ...claims, aud: bed.elsewhere.asIssuer }) });
    const alice = await signIn("alice");
    assertEquals((await call(alice)).code, "EXCHANGE_REFUSED");
    bed.restore();
    assertEquals([(await call(alice)).code, counts(bed).redemption], ["EXCHANGE_REFUSED", 0]);
    bed.turn("as.token-redirect-307-elsewhere");
    assertEquals((await call(await signIn("bob"))).code, "REDEMPTION_REFUSED");
    bed.restore();
    bed.turn("mcp.endpoint-redirect-307-elsewhere");
    const globex = await signIn("alice-globex");
    const { status, code } = await call(globex);
    assertEquals([status, code], [502, "URL_REFUSED"]);
    bed.restore();
    assertEquals((await call(globex)).seen["workspace"], "globex");
  });
});

test("nobody is let in without an ID token that the provider signed for our client, and that lasts", async () => {
  await onStage(async ({ bed, signIn, call }) => {
    const forgeries: Readonly<Record<string, Forgery>> = {
      unsigned: { signature: "none" },
      stripped: { signature: "empty" },
      foreign: { signature: "foreign" },
      "for another client": { claims: (claims) => ({ ...claims, aud: "other-idp-client" }) },
      "of another party": { claims: (claims) => ({ ...claims, azp: "other-idp-client" }) },
      "of another issuer": { claims: (claims) => ({ ...claims, iss: bed.as.issuer }) },
      expired: { claims: (claims) => ({ ...claims, exp: Number(claims["iat"]) - 1 }) },
      endless: { claims: ({ exp: _, ...claims }) => claims },
      "of nobody": { claims: (claims) => ({ ...claims, sub: "" }) },
      "of a number": { claims: (claims) => ({ ...claims, sub: 42 }) },
      "of a workspace without a name": { claims: (claims) => ({ ...claims, workspace_id: { a: 1 } }) },
      "for two clients": {
        claims: ({ azp: _, ...claims }) => ({ ...claims, aud: [claims["aud"], "other"] }),
      },
      "a logout": { claims: (claims) => ({ ...claims, events: {} }) },
      "a logout by its type": { header: { typ: "logout+jwt" } },
      "an access token": { header: { typ: "at+jwt" } },
      "an ID-JAG": { header: { typ: "oauth-id-jag+jwt" } },
    };
    // there is something to steal
    for (const typ of ["JWT", "jwt", undefined]) {
      assertEquals((await call(await signIn("alice", { header: { typ } }))).status, 200);
    }
    const refused: [string, string | null][] = [["absent", null], ["no token", "alice"]];
    for (const [name, forgery] of Object.entries(forgeries)) {
      refused.push([name, await signIn("alice", forgery)]);
    }
    bed.wire.clear();
    for (const [name, idToken] of refused) {
      const { status, code } = await call(idToken);
      assertEquals([name, status, code], [name, 401, "SIGN_IN_REQUIRED"]);
    }
    assertEquals(counts(bed), { exchange: 0, redemption: 0, mcp: 0 });
  });
});

test("the sign-in that lasts longest counts, and a newer one of the same length begins anew", async () => {
  const soonOver: Forgery = {
    claims: (claims) => ({ ...claims, iat: Number(claims["iat"]) + 1, exp: Number(claims["iat"]) + 20 }),
  };
  await onStage(async ({ bed, signIn, call }) => {
    assertEquals((await call(await signIn("alice"))).status, 200);
    assertEquals((await call(await signIn("alice", soonOver))).status, 200);
    assertEquals(counts(bed).exchange, 1);
    // too little of its life is left to exchange it, and the longer one takes its place
    const short = await signIn("bob", soonOver);
    assertEquals((await call(short)).code, "SIGN_IN_REQUIRED");
    assertEquals((await call(await signIn("bob"))).status, 200);
    assertEquals([(await call(short)).status, counts(bed).exchange], [200, 2]);
    await new Promise((wake) => setTimeout(wake, 1_100));
    assertEquals([(await call(await signIn("bob"))).status, counts(bed).exchange], [200, 3]);
  });
});

test("what the server refuses costs no connection, and what is no object of arguments never gets there", async () => {
  await onStage(async ({ bed, signIn, call }) => {
    const idToken = await signIn("alice");
    assertEquals((await call(idToken)).status, 200);
    bed.wire.clear();
    const unknown = await call(idToken, { tool: "nope" });
    assertEquals([unknown.status, unknown.code], [400, "TOOL_REFUSED"]);
    assertEquals([(await call(idToken)).status, counts(bed).mcp], [200, 2]);
    for (const body of ["[1,2]", "null", "7", "{", ""]) {
      assertEquals((await call(idToken, { body })).code, "ARGUMENTS_MALFORMED");
    }
    const filled = (size: number): string => `{"x":"${"a".repeat(size - 8)}"}`;
    const most = await call(idToken, { body: filled(2 ** 20) });
    assertEquals([most.status, counts(bed).mcp], [200, 3]);
    assertEquals((await call(idToken, { body: filled(2 ** 20 + 1) })).code, "BODY_TOO_LARGE");
    const endless = new ReadableStream({
      pull: (controller) => controller.enqueue(new Uint8Array(2 ** 16).fill(32)),
    });
    const { status, code } = await call(idToken, { body: endless });
    assertEquals([status, code, counts(bed).mcp], [413, "BODY_TOO_LARGE", 3]);
    assertEquals((await call(idToken)).status, 200);
  });
});
