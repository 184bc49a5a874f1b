/**
 * Marker and grants as a secret store has them: reading, writing and deleting each. A marker that is no marker is said
 * to be damaged, a grant that is no grant can be deleted all the same.
 *
 * In which order they change is decided in `shared_grants.ts`; that no write overtakes another in `secret_items.ts`.
 *
 * @module
 */

import { EnterpriseError } from "../../../core/enterprise/error.ts";
import {
  type GrantMarker,
  type MarkerBefore,
  readMarker,
  writeMarker,
} from "../../../core/enterprise/grant/marker.ts";
import { type GrantRecord, readGrant, writeGrant } from "../../../core/enterprise/grant/record.ts";
import { never } from "../../async/never.ts";
import type { EndedSignIn } from "./grant_source.ts";
import type { SecretItems } from "./secret_items.ts";

/** What became of grants that were to be deleted. */
export interface DeletedGrants extends Pick<EndedSignIn, "records" | "deleted" | "fault"> {
  /** The keys whose grants may still be there. */
  readonly left: readonly string[];
}

/** Marker and grants of one client. */
export class StoredGrants {
  readonly #items: SecretItems;
  readonly #marker: string;

  /** `marker` is the name of the marker. */
  constructor(items: SecretItems, marker: string) {
    this.#items = items;
    this.#marker = marker;
  }

  /**
   * What the marker says; `null`: there is none.
   *
   * @throws {EnterpriseError} `MARKER_MALFORMED` when it is no marker.
   */
  async marker(signal: AbortSignal): Promise<GrantMarker | null> {
    const text = await this.#items.read(this.#marker, signal);
    return text === null ? null : readMarker(text);
  }

  /** The same, for those who go on with a damaged one. */
  async markerBefore(signal: AbortSignal): Promise<MarkerBefore> {
    try {
      return await this.marker(signal);
    } catch (error) {
      if (error instanceof EnterpriseError && error.code === "MARKER_MALFORMED") return "damaged";
      throw error;
    }
  }

  /**
   * The same, for a change that must not undo what came after this work looked at the marker first.
   *
   * @throws {EnterpriseError} `SUPERSEDED` when it is not as this work saw it.
   */
  async markerAsSeen(signal: AbortSignal): Promise<MarkerBefore> {
    const seen = this.#items.revisionOf(this.#marker);
    const marker = await this.markerBefore(signal);
    if (seen !== undefined && this.#items.revisionOf(this.#marker) !== seen) throw overtaken();
    return marker;
  }

  /** Writes the marker. */
  async writeMarker(marker: GrantMarker): Promise<void> {
    await this.#put(this.#marker, writeMarker(marker));
  }

  /**
   * The grant of this key; `null`: there is none.
   *
   * @throws {EnterpriseError} `GRANT_MALFORMED` or `GRANT_VERSION_UNSUPPORTED` when it is none of ours.
   */
  async read(key: string, signal: AbortSignal): Promise<GrantRecord | null> {
    const text = await this.#items.read(nameOf(key), signal);
    return text === null ? null : readGrant(text);
  }

  /** Writes the grant. */
  async write(key: string, record: GrantRecord): Promise<void> {
    await this.#put(nameOf(key), writeGrant(record));
  }

  /** Whether anything is there under this key, a grant or not. */
  async has(key: string, signal: AbortSignal): Promise<boolean> {
    return await this.#items.read(nameOf(key), signal) !== null;
  }

  /** Deletes what is there. */
  async delete(key: string): Promise<void> {
    await this.#put(nameOf(key), null);
  }

  /** Deletes the grants of these keys, each after it was read. After one that cannot be deleted, no other is tried. */
  async deleteAll(keys: readonly string[]): Promise<DeletedGrants> {
    const records: GrantRecord[] = [];
    let deleted = false;
    for (const [index, key] of keys.entries()) {
      try {
        const text = await this.#items.read(nameOf(key), never());
        if (text === null) continue;
        records.push(...grantsIn(text));
        await this.delete(key);
        deleted = true;
      } catch (error) {
        if (!(error instanceof EnterpriseError)) throw error;
        return { records, deleted, left: keys.slice(index), fault: error };
      }
    }
    return { records, deleted, left: [], fault: null };
  }

  async #put(name: string, text: string | null): Promise<void> {
    if (!await this.#items.write(name, text, never())) throw overtaken();
  }
}

/** That something else was changed meanwhile. */
export function overtaken(): EnterpriseError {
  const state = "another process changed it meanwhile";
  return new EnterpriseError("SUPERSEDED", `Cannot change the sign-in: ${state}`);
}

function nameOf(key: string): string {
  return `codex-mcp-grant-${key}`;
}

/** The grant in `text`, if it is one. */
function grantsIn(text: string): readonly GrantRecord[] {
  try {
    return [readGrant(text)];
  } catch (error) {
    if (error instanceof EnterpriseError) return [];
    throw error;
  }
}
