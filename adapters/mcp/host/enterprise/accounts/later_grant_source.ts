/**
 * A source of grants that is opened when it is needed first: a keyring's is loaded only then. One that cannot be opened
 * is tried again at the next use.
 *
 * What it implements is decided in `adapters/http/grants/grant_source.ts`.
 *
 * @module
 */

import { EnterpriseError } from "../../../../../core/enterprise/error.ts";
import type { GrantMarker } from "../../../../../core/enterprise/grant/marker.ts";
import type { GrantSource, LockedGrants } from "../../../../http/grants/grant_source.ts";
import { redactError } from "../../../../http/transport/redact.ts";

/** A source that is opened later. */
export class LaterGrantSource implements GrantSource {
  readonly #open: () => Promise<GrantSource>;
  readonly #owned: boolean;
  #opening: Promise<GrantSource> | null = null;
  #source: GrantSource | null = null;

  /** `owned` is what it says of itself before it was opened. */
  constructor(open: () => Promise<GrantSource>, owned: boolean) {
    this.#open = open;
    this.#owned = owned;
  }

  /** Whether what it keeps is ours to delete and to revoke. */
  get owned(): boolean {
    return this.#source?.owned ?? this.#owned;
  }

  /**
   * What the marker says now.
   *
   * @throws {EnterpriseError} `MARKER_MALFORMED` when it cannot be read; or whatever keeps the source from being
   * opened.
   */
  async marker(signal: AbortSignal): Promise<GrantMarker | null> {
    return await (await this.#opened()).marker(signal);
  }

  /**
   * Runs `work` alone.
   *
   * @throws {EnterpriseError} `LOCK_TIMEOUT` when someone else holds the lock for too long; or whatever keeps the
   * source from being opened.
   */
  async locked<Result>(
    work: (grants: LockedGrants) => Promise<Result>,
    signal: AbortSignal,
  ): Promise<Result> {
    return await (await this.#opened()).locked(work, signal);
  }

  async #opened(): Promise<GrantSource> {
    if (this.#source !== null) return this.#source;
    this.#opening ??= this.#open();
    try {
      this.#source = await this.#opening;
      return this.#source;
    } catch (error) {
      this.#opening = null;
      if (error instanceof EnterpriseError) throw error;
      const message = "Cannot open the store of sign-ins: something failed";
      throw new EnterpriseError("KEYRING_ABSENT", message, {
        reason: "unexpected",
        cause: redactError(error),
      });
    }
  }
}
