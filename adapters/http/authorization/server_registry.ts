/**
 * The servers of one identity provider as they are configured now: registration, fingerprint, and where their tokens
 * come from, once that was found.
 *
 * What a configuration holds is decided in `core/enterprise/config/`, what a lease is bound to in
 * `core/enterprise/lease.ts`.
 *
 * @module
 */

import type { MovedPart } from "../../../core/enterprise/authorization/state.ts";
import type { EnterpriseConfiguration } from "../../../core/enterprise/config/configuration.ts";
import type { EnterpriseProvider } from "../../../core/enterprise/config/provider.ts";
import type { EnterpriseServer } from "../../../core/enterprise/config/server.ts";
import { registrationFingerprint } from "../../../core/enterprise/grant/key.ts";
import type { DigestPort } from "../../../core/ports/digest.ts";
import type { ExchangeFacts } from "../discovery/discovery.ts";

/** A server that can be used. */
export interface ServerEntry {
  /** As configured. */
  readonly server: EnterpriseServer;
  /** Its identity provider, as configured. */
  readonly provider: EnterpriseProvider;
  /** Fingerprint of both. */
  readonly fingerprint: string;
}

/** The servers of a configuration that can be used, with their fingerprints. */
export async function serverEntries(
  { servers, providers }: Pick<EnterpriseConfiguration, "servers" | "providers">,
  digest: DigestPort,
): Promise<readonly ServerEntry[]> {
  const entries = servers.map(async (server): Promise<readonly ServerEntry[]> => {
    const provider = providers.find(({ name }) => name === server.provider);
    if (provider === undefined) return [];
    return [{ server, provider, fingerprint: await registrationFingerprint({ server, provider }, digest) }];
  });
  return (await Promise.all(entries)).flat();
}

/** The servers of one identity provider. */
export class ServerRegistry {
  readonly #entries = new Map<string, ServerEntry>();
  readonly #facts = new Map<string, ExchangeFacts>();

  /** Takes the servers of a configuration. What was found is kept for those that did not change. */
  load(entries: readonly ServerEntry[]): void {
    for (const [name, { fingerprint }] of [...this.#entries]) {
      const same = entries.some((one) => one.server.name === name && one.fingerprint === fingerprint);
      if (!same) this.#facts.delete(name);
    }
    this.#entries.clear();
    for (const entry of entries) this.#entries.set(entry.server.name, entry);
  }

  /** The server of this name; `undefined` when none can be used. */
  find(name: string): ServerEntry | undefined {
    return this.#entries.get(name);
  }

  /** Where the tokens of a server come from; `undefined` when that was not found yet. */
  facts(name: string): ExchangeFacts | undefined {
    return this.#facts.get(name);
  }

  /** Keeps what was found, unless something moved since the last time: then says what. */
  keep(name: string, facts: ExchangeFacts): MovedPart | null {
    const known = this.#facts.get(name);
    const moved = known === undefined ? null : movedPart(known, facts);
    if (moved === null) this.#facts.set(name, facts);
    return moved;
  }

  /** Forgets what was found about a server: a person wants it looked for again. */
  forget(name: string): void {
    this.#facts.delete(name);
  }
}

function movedPart(known: ExchangeFacts, found: ExchangeFacts): MovedPart | null {
  const pairs = [
    [known.provider, found.provider],
    [known.authorizationServer, found.authorizationServer],
  ] as const;
  if (pairs.some(([a, b]) => a.issuer !== b.issuer)) return "issuer";
  return pairs.some(([a, b]) => a.tokenEndpoint !== b.tokenEndpoint) ? "endpoint" : null;
}
