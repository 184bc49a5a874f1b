/**
 * The times of an ID-JAG, and how a clock that is off is told apart from a token that is. `exp`, `iat` and `nbf` may
 * differ from our clock by a minute. RFC 7519, 4.1.4 to 4.1.6; ID-JAG (draft -04), 3.1.
 *
 * The other claims are checked in `id_jag.ts`.
 *
 * @module
 */

import { ownProperty } from "../../json/value.ts";
import type { JwtObject } from "./jwt.ts";

/** How many seconds two clocks may differ. */
export const MAX_CLOCK_SKEW = 60;

/** What is wrong with the times. */
export type TimeReason =
  | "expiry-missing"
  | "expired"
  | "issued-missing"
  | "issued-in-future"
  | "not-yet-valid";

/** What is wrong with the times of `claims` at `now` (epoch seconds); `null` when nothing is. */
export function timeReasonOf(claims: JwtObject, now: number): TimeReason | null {
  const [exp, iat, nbf] = ["exp", "iat", "nbf"].map((name) => ownProperty(claims, name));
  if (!isTime(exp)) return "expiry-missing";
  if (exp <= now - MAX_CLOCK_SKEW) return "expired";
  if (!isTime(iat)) return "issued-missing";
  if (iat > now + MAX_CLOCK_SKEW) return "issued-in-future";
  if (nbf !== undefined && (!isTime(nbf) || nbf > now + MAX_CLOCK_SKEW)) return "not-yet-valid";
  return null;
}

function isTime(value: unknown): value is number {
  return typeof value === "number" && Number.isFinite(value);
}

/** What the sentence about a time depends on. */
export interface TimeFacts {
  /** What is wrong. */
  readonly time: TimeReason;
  /** Epoch seconds. */
  readonly now: number;
  /** The `Date` of the answer, epoch seconds; `null`: not known. */
  readonly serverNow: number | null;
}

/** What is wrong, to follow the token in a sentence. With the server's own time it says how far our clock is off. */
export function timeText(claims: JwtObject, { time, now, serverNow }: TimeFacts): string {
  if (time === "expiry-missing") return "it has no exp";
  if (time === "issued-missing") return "it has no iat";
  const skew = serverNow === null ? 0 : Math.round(now - serverNow);
  if (Math.abs(skew) > MAX_CLOCK_SKEW) {
    return `this machine's clock is off by ${Math.abs(skew)} s (${
      skew > 0 ? "ahead" : "behind"
    }). Set the clock`;
  }
  const name = time === "expired" ? "exp" : time === "issued-in-future" ? "iat" : "nbf";
  const value = ownProperty(claims, name);
  const seconds = isTime(value) ? Math.round(Math.abs(value - now)) : 0;
  return time === "expired"
    ? `it expired ${seconds} s ago`
    : `its ${name} is ${seconds} s in the future: one of the two clocks is off`;
}
