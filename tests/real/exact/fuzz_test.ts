/**
 * A long run of hostile messages against the input of a stdio server, the same one every time. The short one, with
 * new messages every time, is beside the other tests of `adapters/mcp/server/exact_input.ts`.
 *
 * @module
 */

import { assert } from "@std/assert";
import { test } from "node:test";
import { type Seen, sendHostile } from "../../adapters/mcp/hostile_messages.ts";

const MESSAGES = 200_000;
const CONNECTION = 20;

test("200,000 messages: never a crash, a hang, or a text of another message", { timeout: 600_000 }, () => {
  const seen: Seen = { captured: 0, refused: 0, dropped: 0 };
  for (let sent = 0; sent < MESSAGES; sent += CONNECTION) sendHostile(sent, CONNECTION, seen);
  assert(Math.min(seen.captured, seen.refused, seen.dropped) > MESSAGES / 100, JSON.stringify(seen));
});
