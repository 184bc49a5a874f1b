/**
 * What a thread uses of its host.
 *
 * @module
 */

import type { ClockPort } from "../../../../core/ports/clock.ts";
import type { Platform } from "../../../../core/sandbox/path.ts";
import type { Account } from "../enterprise/account.ts";
import type { EnterpriseServers } from "../enterprise/threads/create_enterprise_servers.ts";
import type { LauncherChoice } from "../sandbox/launcher_choice.ts";
import type { CapturedTurn } from "../sandbox/turn_sandbox.ts";
import type { ServerReport } from "../servers/server_report.ts";
import type { ServerSet } from "../servers/server_set.ts";
import type { ServerSlot } from "../servers/server_slot.ts";
import type { ListedTools, ToolLists, ToolUse } from "../tools/tool_lists.ts";

/** What a thread uses of its host. */
export interface ThreadHost {
  /** The servers. */
  readonly servers: ServerSet;
  /** The enterprise servers. */
  readonly enterprise: EnterpriseServers;
  /** Decides what of a turn a call carries. */
  readonly launchers: LauncherChoice;
  /** Tells the time, and waits. */
  readonly clock: ClockPort;
  /** Whose paths these are. */
  readonly platform: Platform;
  /** Aborted when the host is closed. */
  readonly closed: AbortSignal;
  /** Lists the tools of a server, those that may not be used included. */
  readonly tools: (slot: ServerSlot, use: ToolUse) => Promise<ListedTools>;
  /** What is known of the tools of an ordinary server without asking it. */
  readonly definitions: Pick<ToolLists, "known" | "changed">;
  /** Reports on each server. */
  readonly report: (thread: string) => readonly ServerReport[];
  /** Told when the thread is closed. */
  readonly onClosed: (thread: string) => void;
}

/** How a thread begins. */
export interface HostThreadOptions {
  /** Its id. */
  readonly id: string;
  /** Its account. */
  readonly account: Account | null;
  /** What its turns select. */
  readonly turn: CapturedTurn | null;
}
