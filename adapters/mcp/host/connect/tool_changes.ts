/**
 * Hearing of changed tools. A server of 2025 tells by itself; one of 2026-07-28 tells those who asked
 * (`subscriptions/listen`), and a subscription that is cut is taken up again as long as the connection lives.
 *
 * @module
 */

import { type Client, ProtocolError } from "@modelcontextprotocol/client";
import type { ClockPort } from "../../../../core/ports/clock.ts";
import { pauseAfter } from "./backoff.ts";

/** Milliseconds that a server gets to confirm a subscription. */
const ACKNOWLEDGE_MS = 10_000;

/** Seconds after which a subscription that ended counts as one that worked. */
const WORKED_SECONDS = 10;

/** How changes are heard of. */
export interface ToolChangesOptions {
  /** Tells the time, and waits. */
  readonly clock: ClockPort;
  /** Aborted when the connection is gone. */
  readonly closed: AbortSignal;
  /** Called when a change could have been missed. */
  readonly onMissed: () => void;
  /** A number from 0 up to 1, for the jitter. */
  readonly random: () => number;
}

/**
 * Keeps a subscription to changed tools, if the server is of 2026-07-28 and says that it tells of them. The
 * notifications themselves go to the client's handler. Resolves when the connection is gone, or the server refuses.
 */
export async function followToolChanges(client: Client, options: ToolChangesOptions): Promise<void> {
  const { clock, closed, onMissed, random } = options;
  if (client.getProtocolEra() !== "modern" || !client.getServerCapabilities()?.tools?.listChanged) return;
  for (let failures = 0, missed = false; !closed.aborted; missed = true) {
    const since = clock.now();
    try {
      const subscription = await client.listen({ toolsListChanged: true }, {
        timeout: ACKNOWLEDGE_MS,
        signal: closed,
      });
      if (missed) onMissed();
      await subscription.closed;
      failures = clock.now() - since >= WORKED_SECONDS ? 1 : failures + 1;
    } catch (error) {
      if (error instanceof ProtocolError) return;
      failures += 1;
    }
    if (!await clock.sleep(4 * pauseAfter(failures, random()), closed)) return;
  }
}
