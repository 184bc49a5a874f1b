/**
 * Finds the three documents that an exchange needs: the metadata of the protected resource, of its authorization
 * server and of the identity provider. What can be asked at the same time is, and what was found is kept as long as
 * its headers allow. Nothing secret is in any of these requests.
 *
 * Places, checks and the choice of the authorization server are `core/enterprise/discovery`'s; places are searched in
 * `_metadata_search.ts`. RFC 9728, 3 and 5; RFC 8414, 3; OpenID Connect Discovery 1.0, 4.
 *
 * @module
 */

import type { EnterpriseProvider } from "../../../core/enterprise/config/provider.ts";
import type { EnterpriseServer } from "../../../core/enterprise/config/server.ts";
import { candidateIssuers, chooseAuthorizationServer } from "../../../core/enterprise/discovery/choice.ts";
import {
  readResourceMetadata,
  type ResourceMetadata,
} from "../../../core/enterprise/discovery/resource_metadata.ts";
import {
  readServerMetadata,
  type ServerMetadata,
  type ServerMetadataOptions,
} from "../../../core/enterprise/discovery/server_metadata.ts";
import { resourceMetadataUrls, serverMetadataUrls } from "../../../core/enterprise/discovery/well_known.ts";
import { quoteUrl } from "../../../core/enterprise/url.ts";
import { refusalError, type Verdict } from "../../../core/enterprise/verdict.ts";
import type { ClockPort } from "../../../core/ports/clock.ts";
import type { HttpPort } from "../../../core/ports/http.ts";
import { follow } from "../../async/follow.ts";
import { challengePlace } from "./_challenge_place.ts";
import { asVerdict, type Discovered, type ExchangeFacts, found } from "./_discovered.ts";
import { MetadataCache } from "./_metadata_cache.ts";
import { searchDocument, type SearchResult, type SearchTools } from "./_metadata_search.ts";

export type { Discovered, ExchangeFacts } from "./_discovered.ts";

/** What discovery works with. */
export interface DiscoveryOptions {
  /** The transport. */
  readonly http: HttpPort;
  /** The time, for what is kept and for waiting between attempts. */
  readonly clock: ClockPort;
  /** Gives a random number from 0 to 1, so that many do not repeat at once; default `Math.random`. */
  readonly random?: () => number;
  /** After how many seconds one request is given up; default 10. */
  readonly requestSeconds?: number;
}

/** Ends what is asked for. */
export interface DiscoverySignal {
  /** Ends the requests and the waiting between them. */
  readonly signal: AbortSignal;
}

/** Finds documents, and keeps them. */
export class Discovery {
  readonly #options: DiscoveryOptions;
  readonly #cache = new MetadataCache();

  /** Creates a discovery that has found nothing yet. */
  constructor(options: DiscoveryOptions) {
    this.#options = options;
  }

  /**
   * Finds all three at the same time; a server's metadata waits for the resource's only when the configuration does
   * not name its issuer. The first failure ends the other requests.
   *
   * @throws {EnterpriseError} `DISCOVERY_REFUSED` when a document is missing, malformed, or names someone else.
   * @throws {EnterpriseError} `TEMPORARILY_UNAVAILABLE` when one cannot be read now, or `signal` is aborted.
   */
  async discover(
    server: EnterpriseServer,
    { provider, signal }: DiscoverySignal & { readonly provider: EnterpriseProvider },
  ): Promise<ExchangeFacts> {
    const { controller, stop } = follow(signal);
    const within = { signal: controller.signal };
    const resource = this.resource(server, within);
    const early = server.authorizationServer === null ? null : this.#askServer(server, {
      issuer: server.authorizationServer,
      ...within,
    });
    const authorizationServer = resource.then(({ value }) =>
      this.#chooseServer(server, { published: value.authorizationServers, early, ...within })
    );
    const pending = [resource, authorizationServer, this.provider(provider, within), early] as const;
    try {
      const [found, as, idp] = await Promise.all(pending);
      return {
        resource: server.resource ?? found.value.resource,
        authorizationServer: as.value,
        provider: idp.value,
        notes: [...found.notes, ...as.notes, ...idp.notes],
      };
    } finally {
      stop();
      controller.abort();
    }
  }

  /**
   * Finds the metadata of the resource: at its well-known places, else where the server's own challenge says.
   *
   * @throws {EnterpriseError} `DISCOVERY_REFUSED` when there is none, or it is refused.
   * @throws {EnterpriseError} `TEMPORARILY_UNAVAILABLE` when it cannot be read now, or `signal` is aborted.
   */
  async resource(
    server: EnterpriseServer,
    { signal }: DiscoverySignal,
  ): Promise<Discovered<ResourceMetadata>> {
    const { url } = server;
    const read = (document: unknown): Verdict<ResourceMetadata> => readResourceMetadata(document, { url });
    const tools = this.#tools(signal);
    let result = await searchDocument({ places: resourceMetadataUrls(url), read }, tools);
    if (result.kind === "absent" || result.kind === "refused" && !result.found) {
      const place = await challengePlace(url, tools);
      if (place !== null) result = await searchDocument({ places: [place], read }, tools);
    }
    return found(result, `the metadata of the resource ${quoteUrl(url)}`);
  }

  /**
   * Finds the authorization server of `server`: the configured one, which must be among `published`, else the first
   * published one that supports the profile. `published` is `null` when the resource's metadata lists none.
   *
   * @throws {EnterpriseError} `DISCOVERY_REFUSED` when there is none, or it is refused.
   * @throws {EnterpriseError} `TEMPORARILY_UNAVAILABLE` when it cannot be read now, or `signal` is aborted.
   */
  authorizationServer(
    server: EnterpriseServer,
    options: DiscoverySignal & { readonly published: readonly string[] | null },
  ): Promise<Discovered<ServerMetadata>> {
    return this.#chooseServer(server, { ...options, early: null });
  }

  /**
   * Finds the identity provider.
   *
   * @throws {EnterpriseError} `DISCOVERY_REFUSED` when there is no document, or it is refused.
   * @throws {EnterpriseError} `TEMPORARILY_UNAVAILABLE` when it cannot be read now, or `signal` is aborted.
   */
  async provider(
    { issuer, tokenEndpoint, revocationEndpoint, deviceEndpoint }: EnterpriseProvider,
    { signal }: DiscoverySignal,
  ): Promise<Discovered<ServerMetadata>> {
    const configured = { tokenEndpoint, revocationEndpoint, deviceEndpoint };
    const options = { role: "identity-provider", issuer, anchor: issuer, configured } as const;
    return found(
      await this.#search(options, signal),
      `the metadata of the identity provider ${quoteUrl(issuer)}`,
    );
  }

  /** Forgets what was found. */
  forget(): void {
    this.#cache.clear();
  }

  async #chooseServer(
    server: EnterpriseServer,
    { published, early, signal }: DiscoverySignal & {
      readonly published: readonly string[] | null;
      readonly early: Promise<SearchResult<ServerMetadata>> | null;
    },
  ): Promise<Discovered<ServerMetadata>> {
    const candidates = candidateIssuers({ published, configured: server.authorizationServer });
    if (!candidates.accepted) throw refusalError(candidates.refusal, { code: "DISCOVERY_REFUSED" });
    const issuers = candidates.value;
    const [first = "", ...others] = issuers;
    if (others.length === 0) {
      const result = await (early ?? this.#askServer(server, { issuer: first, signal }));
      return found(result, `the metadata of the authorization server ${quoteUrl(first)}`);
    }
    const results = await Promise.all(issuers.map((issuer) => this.#askServer(server, { issuer, signal })));
    const chosen = chooseAuthorizationServer(results.map(asVerdict));
    if (chosen.accepted) return { value: chosen.value, notes: [...candidates.notes, ...chosen.notes] };
    for (const result of results) if (result.kind === "unavailable") throw result.error;
    throw refusalError(chosen.refusal, { code: "DISCOVERY_REFUSED" });
  }

  #askServer(
    server: EnterpriseServer,
    { issuer, signal }: DiscoverySignal & { readonly issuer: string },
  ): Promise<SearchResult<ServerMetadata>> {
    const { url: anchor, tokenEndpoint, revocationEndpoint } = server;
    const configured = { tokenEndpoint, revocationEndpoint };
    return this.#search({ role: "authorization-server", issuer, anchor, configured }, signal);
  }

  #search(options: ServerMetadataOptions, signal: AbortSignal): Promise<SearchResult<ServerMetadata>> {
    const read = (document: unknown): Verdict<ServerMetadata> => readServerMetadata(document, options);
    return searchDocument({ places: serverMetadataUrls(options.issuer), read }, this.#tools(signal));
  }

  #tools(signal: AbortSignal): SearchTools {
    const { http, clock, random = Math.random, requestSeconds: seconds = 10 } = this.#options;
    return { http, clock, random, seconds, signal, cache: this.#cache };
  }
}
