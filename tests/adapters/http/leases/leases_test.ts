import { assert, assertEquals, assertRejects } from "@std/assert";
import { test } from "node:test";
import { MemoryGrantSource } from "../../../../adapters/http/grants/memory_grant_source.ts";
import { EnterpriseError } from "../../../../core/enterprise/error.ts";
import { failureOf, startFakeHost, USE } from "../fake_legs.ts";

test("a thousand first calls make one exchange and one redemption, a warm call none", async () => {
  const { tokens, legs } = await startFakeHost();
  const given = await Promise.all(
    Array.from({ length: 1_000 }, (_, index) => tokens.token({ thread: `t${index}`, server: "notes" })),
  );
  assertEquals(new Set(given), new Set(["bearer-1"]));
  await tokens.token(USE);
  assertEquals(legs.asked, ["locate", "exchange id_token id-0", "redeem"]);
});

test("a lease is renewed in the background after 85 of 100 parts of its life", async () => {
  const { tokens, legs, clock } = await startFakeHost();
  await tokens.token(USE);
  clock.time += 254;
  await tokens.token(USE);
  await tokens.idle();
  assertEquals(legs.asked.length, 3);
  clock.time += 1;
  const during = await Promise.all([tokens.token(USE), tokens.token(USE), tokens.token(USE)]);
  assertEquals(during, ["bearer-1", "bearer-1", "bearer-1"]);
  await tokens.idle();
  assertEquals([legs.asked.length, await tokens.token(USE)], [6, "bearer-2"]);
});

test("a renewal that fails leaves the lease to its end", async () => {
  const { tokens, legs, clock } = await startFakeHost();
  await tokens.token(USE);
  clock.time += 290;
  legs.failures.exchange.push(failureOf("token-exchange", null, 503));
  assertEquals(await tokens.token(USE), "bearer-1");
  await tokens.idle();
  assertEquals(tokens.status("notes").kind, "unavailable");
  clock.time += 10;
  assertEquals(await tokens.token(USE), "bearer-2");
});

test("whoever waits until nothing is under way waits for what the source has to store", async () => {
  const source = new MemoryGrantSource();
  let idle = 0;
  Object.assign(source, { idle: () => Promise.resolve(idle += 1) });
  const { tokens } = await startFakeHost({ grants: () => source });
  await tokens.idle();
  assertEquals(idle, 1);
});

test("a clock that went back ends a lease", async () => {
  const { tokens, clock } = await startFakeHost();
  await tokens.token(USE);
  clock.time -= 61;
  assertEquals(await tokens.token(USE), "bearer-2");
});

test("what was committed to another generation is not handed out", async () => {
  let open = (): void => undefined;
  const { tokens, legs } = await startFakeHost();
  legs.gate = new Promise((resolve) => open = resolve);
  const given = tokens.token(USE);
  while (!legs.asked.includes("redeem")) await Promise.resolve();
  const out = tokens.signOut("default");
  open();
  const error = await assertRejects(() => given, EnterpriseError);
  assertEquals(error.code, "SIGN_IN_REQUIRED");
  await out;
  assert(!(await Promise.allSettled([tokens.token(USE)])).some(({ status }) => status === "fulfilled"));
});
