/**
 * Warm call: a tool call of a connected thread that has its access token. What it costs over the same call of the SDK's
 * client with a bearer that it was given.
 *
 * @module
 */

import type { EnterpriseBed } from "../../../tests/fixtures/enterprise/mod.ts";
import type { Row } from "../row.ts";
import { median, medianDifference, timeInTurn } from "../timing.ts";
import { PEER } from "./cold.ts";
import { startHostProgram } from "./host_program.ts";
import { openPlace } from "./place.ts";
import { startBareProgram, startSdkProgram } from "./sdk_program.ts";
import type { ProgramThread } from "./side.ts";

const ROUNDS: Readonly<Record<number, number>> = { 0: 800, 20: 20, 50: 12 };
const QUICK: Readonly<Record<number, number>> = { 0: 5 };

/** What is called often is compiled by then. */
const WARM_UP = 400;

/** Milliseconds that a call may take more than the SDK's own. */
const MOST_MORE = 0.2;

/** Rows for each latency, for what a call costs more than the SDK's own, and for the requests that it makes. */
export async function measureWarm({ quick }: { readonly quick: boolean }): Promise<readonly Row[]> {
  const { bed, place } = await openPlace();
  const [host, sdk] = [await startHostProgram(place), await startSdkProgram(place)];
  const threads = { host: host.openThread(), sdk: sdk.openThread() };
  const bearer = await bearerAfter(() => threads.sdk.call(), bed);
  const bare = startBareProgram(place.url, bearer);
  const plain = bare.openThread();
  try {
    for (const thread of [threads.host, plain]) await thread.call();
    const requests = await requestsOf(threads.host, bed);
    const rows: Row[] = [{
      name: "warm call",
      value: requests,
      unit: "requests",
      peer: "SDK with a bearer",
      peerValue: await requestsOf(plain, bed),
      target: "adds no request",
      met: requests === 1,
    }];
    for (const [key, rounds] of Object.entries(quick ? QUICK : ROUNDS)) {
      bed.latency = Number(key);
      const calls = { host: threads.host.call, plain: plain.call, sdk: threads.sdk.call };
      const warmUp = key === "0" && !quick ? WARM_UP : 1;
      const times = await timeInTurn(calls, { rounds, warmUp });
      const [value, besides] = [median(times.host), median(times.plain)];
      const more = medianDifference(times.host, times.plain);
      const row: Row = {
        name: `warm call, ${key} ms latency`,
        value,
        unit: "ms",
        peer: "SDK with a bearer",
        peerValue: besides,
      };
      rows.push(
        key === "0"
          ? { ...row, target: `under ${MOST_MORE} ms more (${more.toFixed(3)} ms)`, met: more < MOST_MORE }
          : row,
        { ...row, peer: PEER, peerValue: median(times.sdk) },
      );
    }
    return rows;
  } finally {
    await Promise.all([host, sdk, bare].map((program) => program.close()));
    await bed.close();
  }
}

/** The bearer of the last request that `call` sends. */
async function bearerAfter(call: () => Promise<unknown>, bed: EnterpriseBed): Promise<string> {
  await call();
  const authorization = bed.wire.entries().at(-1)?.headers["authorization"] ?? "";
  return authorization.replace(/^Bearer /, "");
}

async function requestsOf(thread: ProgramThread, bed: EnterpriseBed): Promise<number> {
  const before = bed.wire.entries().length;
  await thread.call();
  return bed.wire.entries().length - before;
}
