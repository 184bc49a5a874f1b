/**
 * Memory of a program with a thousand open threads, each of which has made a call: what V8 holds a thread after it has
 * collected. A thread of this package's host has a connection of its own, as each client of the SDK has; the clients
 * share one provider, so that what is compared is the connection and all that belongs to it.
 *
 * Each side runs in a process of its own, without the servers (`memory_program.ts`).
 *
 * @module
 */

import type { Row } from "../row.ts";
import { PEER } from "./cold.ts";
import { openPlace, type Place } from "./place.ts";

const ROOT = new URL("../../../", import.meta.url);

/** One row. */
export async function measureMemory({ quick }: { readonly quick: boolean }): Promise<readonly Row[]> {
  const threads = quick ? 20 : 1_000;
  const { bed, place } = await openPlace();
  try {
    const value = await kilobytesOf("host", { place, threads });
    bed.wire.clear();
    const peerValue = await kilobytesOf("sdk", { place, threads });
    const name = `heap of an open thread, ${threads.toLocaleString("en")} of them`;
    return [{ name, value, unit: "KB", peer: `a client with ${PEER}`, peerValue }];
  } finally {
    await bed.close();
  }
}

async function kilobytesOf(
  side: "host" | "sdk",
  { place, threads }: { readonly place: Place; readonly threads: number },
): Promise<number> {
  const child = new Deno.Command(Deno.execPath(), {
    args: [
      "run",
      "--quiet",
      "--allow-all",
      "--v8-flags=--expose-gc",
      "--config",
      new URL("deno.json", ROOT).pathname,
      new URL("memory_program.ts", import.meta.url).pathname,
      side,
      String(threads),
    ],
    stdin: "piped",
    stdout: "piped",
    stderr: "piped",
  }).spawn();
  const writer = child.stdin.getWriter();
  await writer.write(new TextEncoder().encode(JSON.stringify(place)));
  await writer.close();
  const { success, stdout, stderr } = await child.output();
  const [out, err] = [stdout, stderr].map((bytes) => new TextDecoder().decode(bytes));
  if (!success) throw new Error(`Cannot measure the memory of ${side}: ${err}`);
  return Number(out) / 1000;
}
