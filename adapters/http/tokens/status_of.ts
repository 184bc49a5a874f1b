/**
 * The status of a server of a host that runs, from its state and what is known of the sign-in. Asks nobody.
 *
 * Which status it is is decided in `core/enterprise/status/status.ts`.
 *
 * @module
 */

import {
  factsOf,
  type RunningFacts,
  type ServerStatus,
  serverStatus,
} from "../../../core/enterprise/status/status.ts";
import type { Authorization } from "../authorization/authorization.ts";

/** What is asked, and what is known beside the state. */
export interface StatusQuestion extends Pick<RunningFacts, "server" | "fault" | "extension" | "now"> {
  /** Name of the thread; `undefined`: none is asked about. */
  readonly thread: string | undefined;
}

/** The status of a server. */
export function statusOf(
  authorization: Authorization,
  { thread, ...question }: StatusQuestion,
): ServerStatus {
  const signIn = authorization.grant.signIn;
  const facts = { ...question, signIn, ...(thread === undefined ? {} : { thread }) };
  return serverStatus(factsOf(authorization.state, facts));
}
