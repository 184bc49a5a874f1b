/**
 * Leg 1 with the stored sign-in: which token is presented, and what has to be renewed before. Whatever presents a
 * refresh token holds the lock until the answer is stored; an ID token needs no lock.
 *
 * Which type comes first and when the other one is tried is decided in `core/enterprise/exchange/subject_token.ts`.
 *
 * @module
 */

import type { SubjectTokenChoice } from "../../../core/enterprise/config/server.ts";
import { EnterpriseError } from "../../../core/enterprise/error.ts";
import {
  isTypedRefusal,
  planSubjectToken,
  type SubjectToken,
} from "../../../core/enterprise/exchange/subject_token.ts";
import type { GrantRecord } from "../../../core/enterprise/grant/record.ts";
import type { ClockPort } from "../../../core/ports/clock.ts";
import type { Authorization } from "../authorization/authorization.ts";
import type { ServerEntry } from "../authorization/server_registry.ts";
import type { ExchangeFacts } from "../discovery/discovery.ts";
import type { ReceivedIdJag } from "../exchange/exchange.ts";
import type { EnterpriseLegs, PresentedSubject } from "../exchange/legs.ts";
import type { Outcome } from "../exchange/outcome.ts";
import { refreshWith } from "../grants/refresh_with.ts";

/** What the presenter works with. */
export interface SubjectPresenterOptions {
  /** The state and the grant. */
  readonly authorization: Authorization;
  /** Sends. */
  readonly legs: Pick<EnterpriseLegs, "exchange" | "refresh">;
  /** Tells the time. */
  readonly clock: ClockPort;
}

/** For what the sign-in is presented. */
export interface Presenting {
  /** The server. */
  readonly entry: ServerEntry;
  /** Where its tokens come from. */
  readonly facts: ExchangeFacts;
  /** The scopes to ask for; `null`: none. */
  readonly scopes: readonly string[] | null;
  /** Takes down the ID token that was presented last, for {@linkcode SubjectPresenter.wasRenewed}. */
  readonly trace: PresentedToken;
  /** Ends the requests. */
  readonly signal: AbortSignal;
}

/** Which ID token was presented last. Compared, never sent from here. */
export interface PresentedToken {
  /** The ID token; `null`: none was. */
  idToken: string | null;
}

/** Presents the sign-in of one client at its identity provider. */
export class SubjectPresenter {
  readonly #options: SubjectPresenterOptions;
  #accepted: SubjectToken | null = null;

  /** Works with `options`. */
  constructor(options: SubjectPresenterOptions) {
    this.#options = options;
  }

  /** Whether the grant holds another ID token by now than was presented, so that one more try has a point. */
  async wasRenewed(presented: PresentedToken, signal: AbortSignal): Promise<boolean> {
    const { grant, state } = this.#options.authorization;
    if (presented.idToken === null || state.grant === null) return false;
    const { idToken } = await grant.use(({ record }) => Promise.resolve(record), signal);
    return idToken !== null && idToken !== presented.idToken;
  }

  /**
   * Exchanges the sign-in for an ID-JAG.
   *
   * @throws {EnterpriseError} `SIGN_IN_REQUIRED` when nothing is left to present.
   * @throws {EnterpriseError} `SUPERSEDED` when another sign-in is in force, or none.
   */
  async present(presenting: Presenting): Promise<Outcome<ReceivedIdJag>> {
    const { authorization: { grant } } = this.#options;
    const record = await grant.use((open) => Promise.resolve(open.record), presenting.signal);
    const plan = this.#plan(presenting, record);
    if (plan.missing !== undefined) {
      if (plan.missing === "sign-in") throw expired();
      return await this.#renewAndPresent(presenting);
    }
    const first = await this.#attempt(plan.first, { presenting, record });
    const oauth = first.succeeded ? null : first.failure.oauth;
    if (oauth === null || !isTypedRefusal(oauth)) return first;
    if (plan.second !== null) return await this.#attempt(plan.second, { presenting, record });
    // the other type is at hand after all: a refresh brings it
    const other = presenting.entry.server.subjectToken === "auto" && plan.first === "refresh_token";
    return other ? await this.#renewAndPresent(presenting) : first;
  }

  #plan({ entry: { server } }: Presenting, record: GrantRecord): ReturnType<typeof planSubjectToken> {
    return this.#planFor(server.subjectToken, record);
  }

  #planFor(choice: SubjectTokenChoice, record: GrantRecord): ReturnType<typeof planSubjectToken> {
    return planSubjectToken({
      choice,
      idTokenExpiresAt: record.idTokenExpiresAt,
      hasRefreshToken: record.refreshToken !== null,
      accepted: this.#accepted,
      now: this.#options.clock.now(),
    });
  }

  /** Gets a fresh ID token, unless someone else got one while this one waited for the lock, and presents it. */
  async #renewAndPresent(presenting: Presenting): Promise<Outcome<ReceivedIdJag>> {
    const { authorization: { grant }, legs } = this.#options;
    const { entry: { provider }, signal } = presenting;
    const renewed = await grant.use(async (open) => {
      const { refreshToken } = open.record;
      if (this.#planFor("id_token", open.record).missing === undefined) return open.record;
      if (refreshToken === null) throw expired();
      const outcome = await refreshWith(open, { provider, legs, refreshToken, signal });
      return outcome.succeeded ? open.record : outcome;
    }, signal);
    return "succeeded" in renewed
      ? renewed
      : await this.#attempt("id_token", { presenting, record: renewed });
  }

  async #attempt(type: SubjectToken, { presenting, record }: Attempting): Promise<Outcome<ReceivedIdJag>> {
    const outcome = type === "id_token"
      ? await this.#presentIdToken(record, presenting)
      : await this.#presentRefreshToken(presenting);
    if (outcome.succeeded) this.#accepted = type;
    return outcome;
  }

  async #presentIdToken({ idToken }: GrantRecord, presenting: Presenting): Promise<Outcome<ReceivedIdJag>> {
    if (idToken === null) throw expired();
    presenting.trace.idToken = idToken;
    // nothing was presented that a refresh token in the answer could take the place of
    const onRotated = (): Promise<void> => Promise.resolve();
    return await this.#exchange(presenting, { subjectToken: "id_token", token: idToken, onRotated });
  }

  #presentRefreshToken(presenting: Presenting): Promise<Outcome<ReceivedIdJag>> {
    const { authorization: { grant } } = this.#options;
    return grant.use(async (open) => {
      const { refreshToken: token } = open.record;
      if (token === null) throw expired();
      const onRotated = (refreshToken: string): Promise<void> => open.rotate({ refreshToken });
      return await this.#exchange(presenting, { subjectToken: "refresh_token", token, onRotated });
    }, presenting.signal);
  }

  #exchange(
    { entry, facts, scopes, signal }: Presenting,
    subject: Pick<PresentedSubject, "subjectToken" | "token" | "onRotated">,
  ): Promise<Outcome<ReceivedIdJag>> {
    return this.#options.legs.exchange(entry, { facts, scopes, signal, ...subject });
  }
}

interface Attempting {
  readonly presenting: Presenting;
  readonly record: GrantRecord;
}

function expired(): EnterpriseError {
  return new EnterpriseError(
    "SIGN_IN_REQUIRED",
    "Cannot present the sign-in: it has expired. Sign in again",
    {
      reason: "expired",
    },
  );
}
