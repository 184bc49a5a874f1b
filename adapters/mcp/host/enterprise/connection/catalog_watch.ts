/**
 * Asks a server to tell when its tools change: over a subscription in revision 2026-07-28, by the notifications of the
 * revisions before. A subscription that the server ends is made again, later each time.
 *
 * What a change means for a catalog is decided in `core/catalog/scope.ts`. MCP 2026-07-28, subscriptions.
 *
 * @module
 */

import type { Client } from "@modelcontextprotocol/client";
import type { ClockPort } from "../../../../../core/ports/clock.ts";

/** Seconds before a subscription is made again, at first and at most. */
const RETRY_SECONDS = 1;
const MAX_RETRY_SECONDS = 60;

/** How many times in a row it may fail. */
const MAX_FAILURES = 5;

/** Seconds that a subscription has to stand for the next one to be made soon. */
const GOOD_SECONDS = 30;

/** What is watched with. */
export interface CatalogWatchOptions {
  /** Called for each change, and when one may have been missed. */
  readonly onChanged: () => void;
  /** Tells the time, and waits. */
  readonly clock: ClockPort;
  /** Ends it. */
  readonly signal: AbortSignal;
}

/** Watches the tools of a connected server that says that it tells. Resolves when that is over. Never rejects. */
export async function watchCatalog(
  client: Pick<Client, "setNotificationHandler" | "getServerCapabilities" | "getProtocolEra" | "listen">,
  { onChanged, clock, signal }: CatalogWatchOptions,
): Promise<void> {
  if (client.getServerCapabilities()?.tools?.listChanged !== true) return;
  client.setNotificationHandler("notifications/tools/list_changed", onChanged);
  if (client.getProtocolEra() !== "modern") return;
  for (let failures = 0, delays = 0, again = false; !signal.aborted && failures < MAX_FAILURES;) {
    const begun = clock.now();
    const ended = await subscribe(client, { signal, onOpen: () => again && onChanged() });
    if (ended === "closed") return;
    failures = ended === "failed" ? failures + 1 : 0;
    again ||= ended === "ended";
    const seconds = Math.min(MAX_RETRY_SECONDS, RETRY_SECONDS * 2 ** delays);
    delays = clock.now() - begun < GOOD_SECONDS ? delays + 1 : 0;
    await clock.sleep(seconds, signal);
  }
}

/** One subscription, to its end. */
async function subscribe(
  client: Pick<Client, "listen">,
  { signal, onOpen }: { readonly signal: AbortSignal; readonly onOpen: () => void },
): Promise<"closed" | "ended" | "failed"> {
  try {
    const subscription = await client.listen({ toolsListChanged: true }, { signal });
    onOpen();
    return await subscription.closed === "local" || signal.aborted ? "closed" : "ended";
  } catch {
    return signal.aborted ? "closed" : "failed"; // why does not matter: calls go on without it
  }
}
