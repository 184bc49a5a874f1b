import { assertEquals, assertRejects } from "@std/assert";
import { test } from "node:test";
import { Flights } from "../../../../adapters/http/leases/flights.ts";
import { EnterpriseError } from "../../../../core/enterprise/error.ts";

interface Gate {
  readonly promise: Promise<void>;
  readonly open: () => void;
}

function gate(): Gate {
  let open = (): void => undefined;
  const promise = new Promise<void>((resolve) => open = resolve);
  return { promise, open };
}

test("what is wanted twice is got once, and a new name is a new flight", async () => {
  const flights = new Flights();
  const { promise, open } = gate();
  let count = 0;
  const work = (): Promise<void> => {
    count += 1;
    return promise;
  };
  const all = [1, 2, 3].map(() => flights.join("a", { work, signal: undefined }));
  const other = flights.join("b", { work, signal: undefined });
  assertEquals([count, flights.has("a")], [2, true]);
  open();
  await Promise.all([...all, other]);
  await flights.idle();
  assertEquals(flights.has("a"), false);
});

test("a failure reaches all who wait, and is not kept", async () => {
  const flights = new Flights();
  const work = (): Promise<void> => Promise.reject(new Error("no"));
  await Promise.all(
    [1, 2].map(() => assertRejects(() => flights.join("a", { work, signal: undefined }), Error)),
  );
  await flights.join("a", { work: () => Promise.resolve(), signal: undefined });
});

test("whoever gives up leaves the others waiting", async () => {
  const flights = new Flights();
  const { promise, open } = gate();
  const caller = new AbortController();
  const work = (): Promise<void> => promise;
  const first = flights.join("a", { work, signal: caller.signal });
  const second = flights.join("a", { work, signal: new AbortController().signal });
  caller.abort();
  const error = await assertRejects(() => first, EnterpriseError);
  assertEquals([error.code, error.reason], ["TEMPORARILY_UNAVAILABLE", "aborted"]);
  open();
  await second;
  const late = assertRejects(() => flights.join("a", { work, signal: AbortSignal.abort() }), EnterpriseError);
  assertEquals((await late).reason, "aborted");
});
