/**
 * Whether the keyring is why nobody is signed in. Where nobody ever was, the marker alone says so, and no keyring is
 * asked: "sign in" would then be the wrong advice on a system whose keyring is absent or silent. So it is asked there,
 * and there only; one that answers is not asked again.
 *
 * How it is asked is decided in `adapters/http/grants/store_sign_in.ts`.
 *
 * @module
 */

import type { EnterpriseProvider } from "../../../../../core/enterprise/config/provider.ts";
import { EnterpriseError } from "../../../../../core/enterprise/error.ts";
import { providerKey } from "../../../../../core/enterprise/grant/key.ts";
import type { ServerStatus } from "../../../../../core/enterprise/status/status.ts";
import type { ClockPort } from "../../../../../core/ports/clock.ts";
import type { DigestPort } from "../../../../../core/ports/digest.ts";
import { withinSeconds } from "../../../../async/deadline.ts";
import { closedKeyring } from "../../../../http/grants/grant_source.ts";
import type { GrantSource } from "../../../../http/grants/grant_source.ts";
import { readBeforeSignIn } from "../../../../http/grants/store_sign_in.ts";

/**
 * How long one look may take, in seconds: more than a keyring that is silent is waited for, less than a caller waits.
 */
const LOOK_SECONDS = 8;

/** How long what a look found is told without another, in seconds: all servers of a provider meet the same keyring. */
const FRESH_SECONDS = 10;

/** Where is looked. */
export interface KeyringPlace {
  /** The identity provider. */
  readonly provider: Pick<EnterpriseProvider, "issuer" | "client">;
  /** Where its grants are kept. */
  readonly source: GrantSource;
}

/** What a look is made with. */
export interface KeyringCheckOptions {
  /** Computes digests. */
  readonly digest: DigestPort;
  /** Tells the time. */
  readonly clock: Pick<ClockPort, "now">;
  /** Where the sign-in for a server is kept; `null`: the server is not configured. */
  readonly placeOf: (server: string) => KeyringPlace | null;
}

/** What the looks of one account found. */
export class KeyringCheck {
  readonly #digest: DigestPort;
  readonly #clock: Pick<ClockPort, "now">;
  readonly #placeOf: KeyringCheckOptions["placeOf"];
  readonly #found = new Map<GrantSource, Found>();
  readonly #looking = new Map<GrantSource, Promise<EnterpriseError | null>>();

  /** Nothing is looked at yet. */
  constructor({ digest, clock, placeOf }: KeyringCheckOptions) {
    this.#digest = digest;
    this.#clock = clock;
    this.#placeOf = placeOf;
  }

  /** `error`; for one that asks for a sign-in, why none can be kept, where that is so. */
  async explain<Failure>(error: Failure, server: string): Promise<Failure | EnterpriseError> {
    const asks = error instanceof EnterpriseError && error.code === "SIGN_IN_REQUIRED";
    return asks ? await this.look(server) ?? error : error;
  }

  /** Looks, where nobody ever signed in: `KEYRING_ABSENT` or `KEYRING_LOCKED`, or `null`. Never rejects. */
  async look(server: string): Promise<EnterpriseError | null> {
    const place = this.#placeOf(server);
    if (!place?.source.owned) return null;
    const { source } = place;
    const found = this.#found.get(source);
    const fresh = found !== undefined && this.#clock.now() - found.at < FRESH_SECONDS;
    if (found !== undefined && (found.closed === null || fresh)) return found.closed;
    const looking = this.#looking.get(source) ?? this.#look(place);
    this.#looking.set(source, looking);
    return await looking.finally(() => this.#looking.delete(source));
  }

  /** `status`, or what was found about the keyring, where nobody ever signed in. Asks nobody. */
  statusAt(server: string, status: ServerStatus): ServerStatus {
    const source = isNeverSignedIn(status) ? this.#placeOf(server)?.source : undefined;
    const closed = source === undefined ? null : this.#found.get(source)?.closed ?? null;
    if (closed === null) return status;
    return { kind: closed.code === "KEYRING_ABSENT" ? "keyring-absent" : "keyring-locked" };
  }

  async #look({ provider: { issuer, client: { clientId } }, source }: KeyringPlace): Promise<Closed> {
    const look = async (signal: AbortSignal): Promise<Closed> => {
      try {
        if (await source.marker(signal) !== null) return null;
        const probe = await providerKey({ issuer, clientId }, this.#digest);
        await readBeforeSignIn(source, { probe, signal });
      } catch (error) {
        if (error instanceof EnterpriseError && closedKeyring(error) !== null) {
          return this.#keep(source, error);
        }
        return null; // the lock, or a marker that cannot be read: that says nothing about the keyring
      }
      return this.#keep(source, null);
    };
    return await withinSeconds(look, { seconds: LOOK_SECONDS });
  }

  #keep(source: GrantSource, closed: Closed): Closed {
    this.#found.set(source, { closed, at: this.#clock.now() });
    return closed;
  }
}

type Closed = EnterpriseError | null;

interface Found {
  /** Why it cannot be read; `null`: it can. */
  readonly closed: Closed;
  /** Epoch seconds. */
  readonly at: number;
}

/** Whether the status is that nobody ever signed in. */
export function isNeverSignedIn(status: ServerStatus): boolean {
  return status.kind === "signed-out" && status.because === "not-signed-in";
}
