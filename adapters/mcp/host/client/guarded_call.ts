/**
 * One call as its client needs to know it. The client is `host_client.ts`'s, the call
 * `adapters/mcp/host/call/run_call.ts`'s.
 *
 * @module
 */

import type { Progress, Tool } from "@modelcontextprotocol/client";
import type { InputContext } from "./input.ts";

/** One call, as its client needs to know it. */
export interface GuardedCall {
  /** Whose call it is, for questions of the server. Its signal ends the call. */
  readonly context: InputContext;
  /** Throws when the call may not be sent again. Asked before anybody is asked anything, and before it is. */
  readonly repeat: () => void;
  /** Runs while the host's own people are asked, which takes no time of the call's. */
  readonly whileAsking: <Value>(work: () => Promise<Value>) => Promise<Value>;
  /** Waits before a request that answers nothing. Rejects when the call is over. */
  readonly pause: () => Promise<void>;
  /** Told of progress; absent: none is asked for. */
  readonly onProgress?: ((progress: Progress) => void) | undefined;
  /** The tool, when that is known without asking; absent: what this client was listed counts. */
  readonly definition?: Tool | undefined;
  /** Asks the server for the tool, since `definition` does not hold; `null`: there is none. Absent: nobody asks. */
  readonly renew?: (() => Promise<Tool | null>) | undefined;
}
