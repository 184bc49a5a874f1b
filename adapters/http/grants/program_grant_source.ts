/**
 * The identity of a host's own account, supplied by the program that embeds this package: its tokens are presented and
 * handed back when they rotate, and never verified again, stored, deleted or revoked here.
 *
 * What it implements is decided in `grant_source.ts`. Which token is presented is decided in
 * `core/enterprise/exchange/subject_token.ts`.
 *
 * @module
 */

import { EnterpriseError } from "../../../core/enterprise/error.ts";
import type { GrantMarker } from "../../../core/enterprise/grant/marker.ts";
import type { GrantRecord } from "../../../core/enterprise/grant/record.ts";
import { never } from "../../async/never.ts";
import { SerialQueue } from "../../async/serial_queue.ts";
import type { GrantSource, LockedGrants } from "./grant_source.ts";

/** The tokens of an account. */
export interface AccountTokens {
  /** The refresh token; `null`: none. */
  readonly refreshToken: string | null;
  /** The ID token; `null`: none. */
  readonly idToken: string | null;
  /** When the ID token expires, epoch seconds; `null`: there is none. */
  readonly idTokenExpiresAt: number | null;
}

/** The identity of an account, as the program supplies it. */
export interface AccountIdentity {
  /** The tokens now; `null`: nobody is signed in. Called before each exchange. */
  readonly tokens: (signal: AbortSignal) => Promise<AccountTokens | null>;
  /** Takes the refresh token that takes the place of the one before. Awaited before anything else is done. */
  readonly rotated: (refreshToken: string) => Promise<void>;
}

/** Whose identity it is. */
export interface ProgramGrantOptions {
  /** The identity. */
  readonly identity: AccountIdentity;
  /** Key of the account's grant, as `grantKey` makes it. */
  readonly key: string;
  /** What of a grant is not a token. */
  readonly subject: Pick<GrantRecord, "issuer" | "clientId" | "user" | "workspace" | "subject">;
  /** Gives a fresh generation. */
  readonly newGeneration: () => string;
}

/** The grant that a program supplies. */
export class ProgramGrantSource implements GrantSource {
  /** It is the program's. */
  readonly owned = false;
  readonly #options: ProgramGrantOptions;
  readonly #queue = new SerialQueue();
  #marker: GrantMarker;
  #renewed: Pick<AccountTokens, "idToken" | "idTokenExpiresAt"> | null = null;

  /** Supplies the identity of one account. */
  constructor(options: ProgramGrantOptions) {
    this.#options = options;
    this.#marker = { current: options.key, generation: options.newGeneration(), revision: 0 };
  }

  /**
   * Says that the account was signed in anew, or signed out: whatever was got with the identity before is void. After a
   * sign-out in this host, the identity counts again only then.
   */
  replaced(): void {
    this.#renewed = null;
    this.#marker = { ...this.#marker, generation: this.#options.newGeneration(), revision: 0 };
  }

  /** What the marker says. */
  marker(): Promise<GrantMarker> {
    return Promise.resolve(this.#marker);
  }

  /**
   * Runs `work` alone in this process. Across processes it is the program's to see to.
   *
   * @throws {EnterpriseError} `LOCK_TIMEOUT` when `signal` is aborted before its turn.
   */
  locked<Result>(work: (grants: LockedGrants) => Promise<Result>, signal: AbortSignal): Promise<Result> {
    return this.#queue.take(() => {
      if (!signal.aborted) return work(this.#grants(signal));
      throw new EnterpriseError("LOCK_TIMEOUT", "Cannot wait for the identity: the caller gave up");
    });
  }

  #grants(signal: AbortSignal): LockedGrants {
    return {
      marker: () => this.marker(),
      read: (key) => key === this.#options.key ? this.#read(signal) : Promise.resolve(null),
      write: (_key, record) => this.#write(record),
      remove: () => Promise.resolve(false),
      signOut: () => Promise.resolve(),
      endSignIn: () => Promise.resolve({ key: null, records: [], deleted: false, fault: null }),
    };
  }

  async #read(signal: AbortSignal): Promise<GrantRecord | null> {
    const { identity, subject } = this.#options;
    const tokens = await identity.tokens(signal);
    if (tokens === null) return null;
    const { generation, revision } = this.#marker;
    // an ID token that was renewed here is not the program's to keep
    const later = (this.#renewed?.idTokenExpiresAt ?? 0) > (tokens.idTokenExpiresAt ?? 0)
      ? this.#renewed
      : null;
    return { ...subject, ...tokens, ...later, generation, revision, signedInAt: 0, others: {} };
  }

  async #write(record: GrantRecord): Promise<void> {
    const { refreshToken, idToken, idTokenExpiresAt, generation, revision } = record;
    const tokens = await this.#options.identity.tokens(never());
    if (refreshToken !== null && refreshToken !== tokens?.refreshToken) {
      await this.#options.identity.rotated(refreshToken);
    }
    if (generation !== this.#marker.generation) return;
    this.#renewed = { idToken, idTokenExpiresAt };
    this.#marker = { ...this.#marker, revision };
  }
}
