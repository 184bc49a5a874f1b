/**
 * What the benchmark counts on the wire: legs, requests, exchanges. Never how long anything takes.
 *
 * @module
 */

import { assert, assertEquals } from "@std/assert";
import { test } from "node:test";
import type { BenchDocument } from "../../scripts/bench/document.ts";

const ROOT = new URL("../../", import.meta.url);
const PARTS = ["cold", "warm", "rush"];

async function bench(...args: readonly string[]): Promise<BenchDocument> {
  const { success, stdout, stderr } = await new Deno.Command(Deno.execPath(), {
    args: [
      "run",
      "--quiet",
      "--allow-all",
      "--config",
      new URL("deno.json", ROOT).pathname,
      new URL("scripts/bench/main.ts", ROOT).pathname,
      ...args,
    ],
    stdin: "null",
  }).output();
  assert(success, new TextDecoder().decode(stderr));
  return JSON.parse(new TextDecoder().decode(stdout));
}

test("few legs, no request more, one exchange for all who come at once", { timeout: 120_000 }, async () => {
  const document = await bench("--quick", "--json", ...PARTS.flatMap((part) => ["--only", part]));
  assertEquals([document.quick, document.parts], [true, PARTS]);
  const counted = document.rows
    .filter(({ unit }) => unit !== "ms")
    .map(({ name, value, unit, peer, peerValue, met }) => ({ name, value, unit, peer, peerValue, met }));
  const peer = "SDK's provider";
  const cold = "cold connect to first result, server";
  const calls = "20 concurrent first calls";
  assertEquals(counted, [
    { name: `${cold} configured`, value: 5, unit: "legs", peer, peerValue: 8, met: true },
    { name: `${cold} discovered`, value: 6, unit: "legs", peer, peerValue: 8, met: true },
    { name: "warm call", value: 1, unit: "requests", peer: "SDK with a bearer", peerValue: 1, met: true },
    { name: calls, value: 1, unit: "exchanges", peer, peerValue: 20, met: true },
    { name: calls, value: 1, unit: "redemptions", peer, peerValue: 20, met: true },
  ]);
});
