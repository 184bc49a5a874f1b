/**
 * Whether the clock of this machine agrees with those of the servers that answered: an assertion whose `iat` or `nbf`
 * lies more than 60 seconds ahead is refused, here and there.
 *
 * @module
 */

import type { Finding } from "./finding.ts";
import type { ObservedHttp } from "./observed_http.ts";

/** Seconds that a clock may be off. */
const ALLOWED = 60;

/** Compares the clocks; nothing where nobody answered. */
export function checkClock(
  { offsets, answered }: Pick<ObservedHttp, "offsets" | "answered">,
): readonly Finding[] {
  const id = "clock";
  const known = [...offsets()].toSorted(([, a], [, b]) => Math.abs(b) - Math.abs(a));
  const [worst] = known;
  if (worst === undefined) {
    return answered().size === 0 ? [] : [{ id, status: "skipped", found: "no server tells the time" }];
  }
  const [host, offset] = worst;
  const seconds = Math.round(Math.abs(offset));
  if (seconds > ALLOWED) {
    return [{
      id,
      status: "failed",
      found: `the clock of ${host} is ${seconds} s ${offset > 0 ? "ahead of" : "behind"} this machine's, ` +
        `and more than ${ALLOWED} s are refused`,
      fix: "set both clocks by a time service (NTP)",
    }];
  }
  const others = known.length === 1 ? host : `${known.length} servers`;
  return [{
    id,
    status: "ok",
    found: `the clock of this machine and of ${others} agree within ${seconds} s`,
  }];
}
