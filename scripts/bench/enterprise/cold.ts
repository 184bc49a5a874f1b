/**
 * Cold connect: from a program that has sent nothing to the result of its first tool call, at an MCP server that wants
 * enterprise-managed authorization. How long it takes, and how many requests had to wait for each other.
 *
 * @module
 */

import { countSequentialLegs, type EnterpriseBed } from "../../../tests/fixtures/enterprise/mod.ts";
import { atMost, type Row } from "../row.ts";
import { median } from "../timing.ts";
import { startHostProgram } from "./host_program.ts";
import { openPlace, type Place } from "./place.ts";
import { startSdkProgram } from "./sdk_program.ts";
import type { StartProgram } from "./side.ts";

/** What the peer is called. */
export const PEER = "SDK's provider";

/** How many times each side connects, by the latency in milliseconds. */
type Rounds = Readonly<Record<number, number>>;

const ROUNDS: Rounds = { 0: 25, 20: 12, 50: 10 };
const QUICK: Rounds = { 50: 3 };

/** The latency that legs are counted at. With a shorter one a busy machine makes them look waited for. */
const COUNTED_AT = 50;

/** Rows for each latency, with the authorization server configured, and legs where it is discovered. */
export async function measureCold({ quick }: { readonly quick: boolean }): Promise<readonly Row[]> {
  const rounds = quick ? QUICK : ROUNDS;
  return [...await configured(rounds), ...await discovered(quick ? 3 : 5)];
}

async function configured(rounds: Rounds): Promise<readonly Row[]> {
  const { bed, place } = await openPlace();
  try {
    const rows: Row[] = [];
    let legs: Sides<number> | undefined;
    for (const [key, count] of Object.entries(rounds)) {
      const latency = Number(key);
      const { host, sdk } = await connectInTurn({ bed, place, latency, rounds: count });
      if (latency === COUNTED_AT) legs = { host: fewest(host), sdk: fewest(sdk) };
      rows.push(timeRow(latency, { host: medianTime(host), sdk: medianTime(sdk) }));
    }
    return legs === undefined ? rows : [legsRow("configured", { ...legs, most: 5 }), ...rows];
  } finally {
    await bed.close();
  }
}

async function discovered(rounds: number): Promise<readonly Row[]> {
  const { bed, place } = await openPlace({ discovered: true });
  try {
    const { host, sdk } = await connectInTurn({ bed, place, latency: COUNTED_AT, rounds });
    return [legsRow("discovered", { host: fewest(host), sdk: fewest(sdk), most: 6 })];
  } finally {
    await bed.close();
  }
}

interface Sides<Value> {
  readonly host: Value;
  readonly sdk: Value;
}

interface Connecting {
  readonly bed: EnterpriseBed;
  readonly place: Place;
  readonly latency: number;
  readonly rounds: number;
}

interface Connected {
  readonly milliseconds: number;
  readonly legs: number;
}

async function connectInTurn(
  { bed, place, latency, rounds }: Connecting,
): Promise<Sides<readonly Connected[]>> {
  const host: Connected[] = [];
  const sdk: Connected[] = [];
  for (let round = -1; round < rounds; round++) {
    bed.latency = latency;
    const connected = {
      host: await connect(startHostProgram, bed, place),
      sdk: await connect(startSdkProgram, bed, place),
    };
    if (round < 0) continue; // the first ones load code
    host.push(connected.host);
    sdk.push(connected.sdk);
  }
  bed.latency = 0;
  return { host, sdk };
}

async function connect(start: StartProgram, bed: EnterpriseBed, place: Place): Promise<Connected> {
  const program = await start(place);
  bed.wire.clear();
  const started = performance.now();
  const said = await program.openThread().call();
  const milliseconds = performance.now() - started;
  const legs = countSequentialLegs(bed.wire.entries());
  await program.close();
  if (!said.includes("alice")) throw new Error(`The tool did not answer as it should: ${said}`);
  return { milliseconds, legs };
}

function medianTime(connected: readonly Connected[]): number {
  return median(connected.map(({ milliseconds }) => milliseconds));
}

/** A busy machine can make requests that were sent together look apart; no machine makes them look together. */
function fewest(connected: readonly Connected[]): number {
  return Math.min(...connected.map(({ legs }) => legs));
}

function legsRow(how: string, { host, sdk, most }: Sides<number> & { readonly most: number }): Row {
  return {
    name: `cold connect to first result, server ${how}`,
    value: host,
    unit: "legs",
    peer: PEER,
    peerValue: sdk,
    ...atMost(most, { value: host, unit: "legs" }),
  };
}

function timeRow(latency: number, { host, sdk }: Sides<number>): Row {
  const row: Row = {
    name: `cold connect to first result, ${latency} ms latency`,
    value: host,
    unit: "ms",
    peer: PEER,
    peerValue: sdk,
  };
  return latency === 50 ? { ...row, target: "at most 0.7x", met: host <= 0.7 * sdk } : row;
}
