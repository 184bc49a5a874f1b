/**
 * Which protocol a server is spoken to in, when its configuration leaves that open: revision 2026-07-28 is asked for
 * first (`server/discover`), and a server that does not know it gets the handshake of 2025.
 *
 * | configured | first | it ended, or was silent | it was slow, and refused the handshake |
 * |---|---|---|---|
 * | `legacy` | the handshake, all the time | failed | failed |
 * | `2026-07-28` | exactly that, all the time | failed | failed |
 * | `auto`, nothing remembered | asked for a while; silence: the handshake, on the same connection, to two thirds of the time | a new start with the handshake, for the rest | a new start with exactly 2026-07-28, for the rest |
 * | `auto`, the handshake remembered | the handshake, all the time | failed, and forgotten | failed, and forgotten |
 *
 * A server of 2025 may end on a request before its handshake, or never answer again after one; one that is only slow to
 * start must not be ended for it. A handshake that worked after silence or in a second start, or that ran out of time
 * there, is remembered for this connection.
 * The SDK does the asking; MCP 2026-07-28, "Versioning".
 *
 * @module
 */

import type { VersionNegotiationMode } from "@modelcontextprotocol/client";
import type { ServerSettings } from "../../../../core/configuration/entry.ts";

/** How one start of a server goes. */
export interface EraPlan {
  /** What the SDK does. */
  readonly mode: VersionNegotiationMode;
  /** Milliseconds that the question for the revision may take. */
  readonly probeMs: number;
  /** Milliseconds that the handshake may take after it. */
  readonly handshakeMs: number;
}

/** What is known about a server from its earlier starts: `null`, or that it gets the handshake at once. */
export type EraMemory = "legacy" | null;

/** How a start failed, as far as it says something about the era. */
export type EraFailure =
  /** The server ended. */
  | "ended"
  /** There was no answer in time. */
  | "silent"
  /** It answered the handshake with an error. */
  | "refused"
  /** Over HTTP: it answered the question with what is no answer to a question. */
  | "confused";

/** Longest time that a stdio server is asked before it gets the handshake: it may be one that never answers. */
const PROBE_MS = 5_000;

const PINNED = "2026-07-28";

/** The first start, for `startupMs` milliseconds. */
export function firstPlan(
  { protocol }: Pick<ServerSettings, "protocol">,
  { memory, transport, startupMs }: {
    readonly memory: EraMemory;
    readonly transport: "stdio" | "http";
    readonly startupMs: number;
  },
): EraPlan {
  if (protocol === "2026-07-28") return pinned(startupMs);
  if (protocol === "legacy" || memory === "legacy") return legacy(startupMs);
  const whileMs = startupMs * 2 / 3;
  // an HTTP server answers each request by itself, so silence there is no sign of age
  if (transport === "http") return { mode: "auto", probeMs: whileMs, handshakeMs: whileMs };
  const probeMs = Math.min(PROBE_MS, startupMs / 4);
  return { mode: "auto", probeMs, handshakeMs: whileMs - probeMs };
}

/** The second start, after the first failed and `remainingMs` milliseconds are left; `null`: there is none. */
export function secondPlan(
  first: EraPlan,
  { failure, elapsedMs, remainingMs }: {
    readonly failure: EraFailure | null;
    readonly elapsedMs: number;
    readonly remainingMs: number;
  },
): EraPlan | null {
  if (first.mode !== "auto" || failure === null || remainingMs <= 0) return null;
  if (failure !== "refused") return legacy(remainingMs);
  return elapsedMs < first.probeMs ? null : pinned(remainingMs);
}

/** What is remembered when all starts of an attempt are over. */
export function nextMemory(
  memory: EraMemory,
  { plan, second, failed, inVain = false }: {
    /** The last start. */
    readonly plan: EraPlan;
    /** Whether it was a second one. */
    readonly second: boolean;
    /** How it failed; `null`: it did not, `undefined`: in a way that says nothing about the era. */
    readonly failed: EraFailure | null | undefined;
    /** Whether the question was asked in vain, and the handshake worked after it. */
    readonly inVain?: boolean;
  },
): EraMemory {
  if (failed === undefined) return memory;
  if (failed === null) return inVain || second && plan.mode === "legacy" ? "legacy" : memory;
  return second && plan.mode === "legacy" && failed === "silent" ? "legacy" : null;
}

function legacy(ms: number): EraPlan {
  return { mode: "legacy", probeMs: ms, handshakeMs: ms };
}

function pinned(ms: number): EraPlan {
  return { mode: { pin: PINNED }, probeMs: ms, handshakeMs: ms };
}
