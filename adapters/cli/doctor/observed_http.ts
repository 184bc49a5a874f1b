/**
 * A transport that notes what each server says about the time, on the way of the requests that are sent anyway.
 *
 * What a difference means is decided in `clock.ts`. RFC 9110, 6.6.1; RFC 9111, 5.1.
 *
 * @module
 */

import type { ClockPort } from "../../../core/ports/clock.ts";
import type { HttpPort } from "../../../core/ports/http.ts";
import { headerOf, serverTime } from "../../http/transport/document.ts";

/** What was noted. */
export interface ObservedHttp {
  /** The transport. */
  readonly http: HttpPort;
  /** Seconds that each server's clock is ahead of ours, by host; those that sent no date are not here. */
  offsets(): ReadonlyMap<string, number>;
  /** The hosts that answered. */
  answered(): ReadonlySet<string>;
}

/** Sends with `http`. */
export function observeHttp(http: HttpPort, clock: Pick<ClockPort, "now">): ObservedHttp {
  const offsets = new Map<string, number>();
  const answered = new Set<string>();
  return {
    http: {
      send: async (request, options) => {
        const before = clock.now();
        const response = await http.send(request, options);
        const { host } = new URL(request.url);
        answered.add(host);
        const date = serverTime(response);
        // a cache on the way tells the time at which it got the answer, and how long ago that was
        const age = Number(/^\d{1,9}$/.exec(headerOf(response, "age") ?? "")?.[0] ?? 0);
        if (date !== null) offsets.set(host, date + age - (before + clock.now()) / 2);
        return response;
      },
    },
    offsets: () => offsets,
    answered: () => answered,
  };
}
