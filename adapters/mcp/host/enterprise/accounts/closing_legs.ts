/**
 * The requests for tokens of a host that may close: then nobody waits for a token any more, so those that leave nothing
 * to store are ended, and none is begun. A request that presents a refresh token goes on: the identity provider may
 * have put another one in its place, and that has to be stored. Revoking is not ended either: a person asked for it.
 *
 * How the requests are made is decided in `adapters/http/exchange/enterprise_legs.ts`; how long a host waits for the
 * rest in `known_accounts.ts`.
 *
 * @module
 */

import { follow } from "../../../../async/follow.ts";
import type { EnterpriseLegs } from "../../../../http/exchange/legs.ts";

/** The requests of `legs`, as a host makes them that is closed when `closing` is aborted. */
export function createClosingLegs(legs: EnterpriseLegs, closing: AbortSignal): EnterpriseLegs {
  const unlessClosed = async <Result>(
    signal: AbortSignal,
    work: (ending: AbortSignal) => Promise<Result>,
  ): Promise<Result> => {
    const { controller, stop } = follow(closing, signal);
    try {
      return await work(controller.signal);
    } finally {
      stop();
    }
  };
  return {
    locate: (registration, signal) => unlessClosed(signal, (ending) => legs.locate(registration, ending)),
    forget: () => legs.forget(),
    exchange: (registration, options) =>
      options.subjectToken === "refresh_token"
        ? legs.exchange(registration, options)
        : unlessClosed(options.signal, (signal) => legs.exchange(registration, { ...options, signal })),
    redeem: (registration, options) =>
      unlessClosed(options.signal, (signal) => legs.redeem(registration, { ...options, signal })),
    refresh: (provider, options) => legs.refresh(provider, options),
    revoke: (provider, options) => legs.revoke(provider, options),
  };
}
