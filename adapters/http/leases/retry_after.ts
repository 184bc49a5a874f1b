/**
 * Token endpoints that asked to be left alone for a while (`Retry-After`), and until when they are. Nothing is sent to
 * them meanwhile: whoever needs a new token is told until when, and what was got before stays usable.
 *
 * What an outage does to leases and threads is decided in `core/enterprise/authorization/`. RFC 9110, 10.2.3.
 *
 * @module
 */

import { EnterpriseError, type Leg } from "../../../core/enterprise/error.ts";
import type { Registration } from "../../../core/enterprise/grant/key.ts";
import { quoteUrl } from "../../../core/enterprise/url.ts";
import type { ClockPort } from "../../../core/ports/clock.ts";
import type { ExchangeFacts } from "../discovery/discovery.ts";
import type { EnterpriseLegs } from "../exchange/legs.ts";
import type { Outcome, RequestFailure } from "../exchange/outcome.ts";

/** How long an endpoint is left alone at most, in seconds, whatever it asks for. */
export const LONGEST_PAUSE = 300;

/** Remembers which token endpoints are left alone. */
export class RetryAfter {
  readonly #clock: ClockPort;
  readonly #until = new Map<string, number>();

  /** Begins with none. */
  constructor(clock: ClockPort) {
    this.#clock = clock;
  }

  /** Why no lease can be had now; `null`: no endpoint that is known to be needed asked for a pause. */
  refusal(registration: Pick<Registration, "provider">, facts?: ExchangeFacts): Paused | null {
    const first = this.#refusal(firstPlace(registration));
    return first ?? (facts === undefined ? null : this.#refusal(secondPlace(facts)));
  }

  /** The same requests, which are not made at a place that asked for a pause. */
  over(legs: EnterpriseLegs): EnterpriseLegs {
    return {
      locate: (registration, signal) => legs.locate(registration, signal),
      forget: () => legs.forget(),
      revoke: (provider, options) => legs.revoke(provider, options),
      exchange: async (registration, options) => {
        const refused = this.refusal(registration, options.facts);
        if (refused !== null) return { succeeded: false, failure: refused.failure };
        return this.#note(firstPlace(registration), await legs.exchange(registration, options));
      },
      redeem: async (registration, options) =>
        this.#note(secondPlace(options.facts), await legs.redeem(registration, options)),
      refresh: async (provider, options) => {
        const refused = this.refusal({ provider });
        if (refused !== null) return { succeeded: false, failure: refused.failure };
        return this.#note(firstPlace({ provider }), await legs.refresh(provider, options));
      },
    };
  }

  #note<Value>({ name }: Place, outcome: Outcome<Value>): Outcome<Value> {
    const { meaning, retryAfter } = outcome.succeeded ? NOTHING : outcome.failure;
    if (meaning === "unavailable" && retryAfter !== null && retryAfter > 0) {
      this.#until.set(name, this.#clock.now() + Math.min(retryAfter, LONGEST_PAUSE));
    }
    return outcome;
  }

  #refusal({ leg, issuer, name }: Place): Paused | null {
    const until = this.#until.get(name);
    if (until === undefined) return null;
    const left = until - this.#clock.now();
    // a clock that went back must not make it longer
    if (left > 0 && left <= LONGEST_PAUSE) return { leg, failure: failureUntil(until, { leg, issuer }) };
    this.#until.delete(name);
    return null;
  }
}

/** That a request is not made. */
export interface Paused {
  /** Which request. */
  readonly leg: Leg;
  /** Its outcome. */
  readonly failure: RequestFailure;
}

interface Place {
  readonly leg: Leg;
  readonly issuer: string;
  readonly name: string;
}

const NOTHING = { meaning: null, retryAfter: null } as const;

function firstPlace({ provider: { issuer } }: Pick<Registration, "provider">): Place {
  return { leg: "token-exchange", issuer, name: JSON.stringify(["token-exchange", issuer]) };
}

function secondPlace({ authorizationServer: { issuer, tokenEndpoint } }: ExchangeFacts): Place {
  return { leg: "redemption", issuer, name: JSON.stringify(["redemption", tokenEndpoint]) };
}

function failureUntil(until: number, { leg, issuer }: Pick<Place, "leg" | "issuer">): RequestFailure {
  const time = new Date(Math.ceil(until) * 1000).toISOString().replace(".000Z", "Z");
  const action = leg === "token-exchange" ? "exchange the sign-in" : "redeem the ID-JAG";
  const message = `Cannot ${action} at ${quoteUrl(issuer)}: it asked to be left alone until ${time}`;
  const error = new EnterpriseError("TEMPORARILY_UNAVAILABLE", message, { reason: "retry-after", leg });
  return { meaning: "unavailable", oauth: null, retryAfter: null, error };
}
