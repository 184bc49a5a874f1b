/**
 * A rush: a thousand threads of one program make their first call at once. How often the identity provider and the
 * authorization server are asked.
 *
 * @module
 */

import { type EnterpriseBed, select } from "../../../tests/fixtures/enterprise/mod.ts";
import { atMost, type Row, type Unit } from "../row.ts";
import { timeOnce } from "../timing.ts";
import { PEER } from "./cold.ts";
import { startHostProgram } from "./host_program.ts";
import { openPlace, type Place } from "./place.ts";
import { startSdkProgram } from "./sdk_program.ts";
import type { StartProgram } from "./side.ts";

/** Rows for exchanges, redemptions and time. */
export async function measureRush({ quick }: { readonly quick: boolean }): Promise<readonly Row[]> {
  const threads = quick ? 20 : 1_000;
  const { bed, place } = await openPlace();
  try {
    const host = await rush(startHostProgram, { bed, place, threads });
    const sdk = await rush(startSdkProgram, { bed, place, threads });
    const calls = `${threads.toLocaleString("en")} concurrent first calls`;
    const once = (unit: Unit, value: number, peerValue: number): Row => ({
      name: calls,
      value,
      unit,
      peer: PEER,
      peerValue,
      ...atMost(1, { value, unit, text: "one" }),
    });
    return [
      once("exchanges", host.exchanges, sdk.exchanges),
      once("redemptions", host.redemptions, sdk.redemptions),
      { name: calls, value: host.milliseconds, unit: "ms", peer: PEER, peerValue: sdk.milliseconds },
    ];
  } finally {
    await bed.close();
  }
}

interface Rush {
  readonly exchanges: number;
  readonly redemptions: number;
  readonly milliseconds: number;
}

interface Rushing {
  readonly bed: EnterpriseBed;
  readonly place: Place;
  readonly threads: number;
}

async function rush(start: StartProgram, { bed, place, threads }: Rushing): Promise<Rush> {
  const program = await start(place);
  bed.wire.clear();
  const opened = Array.from({ length: threads }, () => program.openThread());
  try {
    const milliseconds = await timeOnce(() => Promise.all(opened.map((thread) => thread.call())));
    const count = (endpoint: "idp.exchange" | "as.token"): number =>
      select(bed.wire.entries(), { endpoint }).length;
    return { milliseconds, exchanges: count("idp.exchange"), redemptions: count("as.token") };
  } finally {
    await program.close();
  }
}
