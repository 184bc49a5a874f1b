/**
 * Tells the embedding program what becomes of the connection to an ordinary server.
 *
 * @module
 */

import type { ConnectionState, ServerConnection } from "../connect/server_connection.ts";
import type { EventHub } from "./host_events.ts";

/** Tells `hub` from now on. The connection knows nobody else, so it ends with the connection. */
export function tellChanges(
  connection: Pick<ServerConnection, "entry" | "state" | "onChange" | "onCatalogChanged">,
  hub: EventHub,
): void {
  const server = connection.entry.name;
  let before: ConnectionState = connection.state();
  connection.onChange((state) => {
    const was = before;
    before = state;
    if (state.kind === "ready") {
      hub.emit({ kind: "connected", server, thread: null, protocol: state.protocol });
    } else if (was.kind === "ready" || was.kind === "connecting" && "reason" in state) {
      const reason = "reason" in state ? { code: state.reason.code, message: state.reason.message } : null;
      hub.emit({ kind: "disconnected", server, thread: null, reason });
    }
  });
  connection.onCatalogChanged(() => hub.emit({ kind: "catalog-changed", server, thread: null }));
}
