/**
 * A client of the package at the enterprise test bed, without anything that keeps state: configuration, discovery, both
 * legs, once. Tests look at how far it came and at what went over the wire.
 *
 * @module
 */

import { readConfiguration } from "../../../core/enterprise/config/configuration.ts";
import type { EnterpriseProvider } from "../../../core/enterprise/config/provider.ts";
import type { EnterpriseServer } from "../../../core/enterprise/config/server.ts";
import { EnterpriseError } from "../../../core/enterprise/error.ts";
import type { SubjectToken } from "../../../core/enterprise/exchange/subject_token.ts";
import type { ClockPort } from "../../../core/ports/clock.ts";
import type { HttpPort } from "../../../core/ports/http.ts";
import { createSendingRuntime } from "../../../adapters/deno/sending.ts";
import { createClock } from "../../../adapters/http/transport/clock.ts";
import { Discovery, type ExchangeFacts } from "../../../adapters/http/discovery/discovery.ts";
import { type ReceivedIdJag, requestIdJag } from "../../../adapters/http/exchange/exchange.ts";
import { createHttp } from "../../../adapters/http/transport/http.ts";
import type { Outcome } from "../../../adapters/http/exchange/outcome.ts";
import { type ReceivedAccessToken, redeemIdJag } from "../../../adapters/http/exchange/redeem.ts";
import type { SecretReader } from "../../../adapters/http/client/secret_reader.ts";
import type { BedClient, EnterpriseBed } from "../../fixtures/enterprise/mod.ts";
import { signIn } from "../../fixtures/enterprise/trace/trace.ts";

/** What the configuration of a test may change. */
export interface LegsOptions {
  /** Members of `mcp_servers.notes`, over the usual ones; `undefined` leaves one out. */
  readonly server?: Readonly<Record<string, unknown>>;
  /** Members of its `oauth`. */
  readonly oauth?: Readonly<Record<string, unknown>>;
  /** Seconds after which one metadata request is given up; default 5. */
  readonly requestSeconds?: number;
  /** Seconds after which a leg is given up; default 10. */
  readonly legSeconds?: number;
  /** Seconds that this machine's clock is ahead. */
  readonly ahead?: number;
}

/** The tokens of a sign-in. */
export interface SignedIn {
  readonly idToken: string;
  readonly refreshToken: string;
}

/** Signs in at the bed, without the package. */
export async function signedIn(bed: EnterpriseBed): Promise<SignedIn> {
  const { tokens } = await signIn(bed);
  return { idToken: String(tokens?.["id_token"]), refreshToken: String(tokens?.["refresh_token"]) };
}

/** The client. */
export class LegsClient {
  readonly server: EnterpriseServer;
  readonly provider: EnterpriseProvider;
  readonly discovery: Discovery;
  readonly http: HttpPort = createHttp({ runtime: createSendingRuntime() });
  readonly clock: ClockPort;
  readonly readSecret: SecretReader;
  /** Refresh tokens that were handed over as rotated, in order. */
  readonly rotated: string[] = [];
  readonly #bed: EnterpriseBed;
  readonly #legSeconds: number;

  constructor(bed: EnterpriseBed, options: LegsOptions = {}) {
    this.#bed = bed;
    this.#legSeconds = options.legSeconds ?? 10;
    const { server, provider } = configure(bed, options);
    this.server = server;
    this.provider = provider;
    const real = createClock();
    // Waiting between attempts is not what these tests are about.
    this.clock = { now: () => real.now() + (options.ahead ?? 0), sleep: () => Promise.resolve(true) };
    this.discovery = new Discovery({
      http: this.http,
      clock: this.clock,
      random: () => 0.5,
      requestSeconds: options.requestSeconds ?? 5,
    });
    const secrets: Readonly<Record<string, string | null>> = {
      IDP_CREDENTIAL: credentialOf(bed.idp.client),
      AS_CREDENTIAL: credentialOf(bed.as.client),
    };
    this.readSecret = (reference) =>
      Promise.resolve(reference.kind === "environment" ? secrets[reference.name] ?? "" : "");
  }

  discover(): Promise<ExchangeFacts> {
    const signal = AbortSignal.timeout(30_000);
    return this.discovery.discover(this.server, { provider: this.provider, signal });
  }

  exchange(
    facts: ExchangeFacts,
    { idToken, refreshToken }: SignedIn,
    kind: SubjectToken = this.#bed.profile.subjects[0] ?? "id_token",
  ): Promise<Outcome<ReceivedIdJag>> {
    return requestIdJag({
      http: this.http,
      clock: this.clock,
      metadata: facts.provider,
      client: this.provider.client,
      readSecret: this.readSecret,
      signal: this.#signal(),
      subjectToken: kind,
      token: kind === "id_token" ? idToken : refreshToken,
      audience: facts.authorizationServer.issuer,
      resource: facts.resource,
      redeemerId: this.server.client.clientId,
      scopes: this.server.scopes,
      allowMissingResource: this.server.allowMissingResource,
      onRotated: (token) => Promise.resolve(void this.rotated.push(token)),
    });
  }

  redeem(facts: ExchangeFacts, jag: ReceivedIdJag): Promise<Outcome<ReceivedAccessToken>> {
    return redeemIdJag({
      http: this.http,
      clock: this.clock,
      metadata: facts.authorizationServer,
      client: this.server.client,
      readSecret: this.readSecret,
      signal: this.#signal(),
      assertion: jag.token(),
      resource: facts.resource,
      scopes: jag.scopes,
    });
  }

  #signal(): AbortSignal {
    return AbortSignal.timeout(this.#legSeconds * 1000);
  }
}

/** How far a walk through discovery and both legs came. */
export interface Walk {
  /** `"token"`, or stage, code, meaning (`-`: none) and reason of what ended it. */
  readonly verdict: string;
  /** What ended it. */
  readonly error: EnterpriseError | null;
  /** Where it got to. */
  readonly facts: ExchangeFacts | null;
  readonly jag: ReceivedIdJag | null;
  readonly access: ReceivedAccessToken | null;
}

/** Walks once. */
export async function walk(client: LegsClient, tokens: SignedIn): Promise<Walk> {
  const none = { facts: null, jag: null, access: null };
  let facts: ExchangeFacts;
  try {
    facts = await client.discover();
  } catch (error) {
    if (!(error instanceof EnterpriseError)) throw error;
    return { ...none, verdict: `discovery ${error.code} - ${error.reason}`, error };
  }
  const first = await client.exchange(facts, tokens);
  if (!first.succeeded) return { ...none, facts, ...ended("exchange", first.failure) };
  const second = await client.redeem(facts, first.value);
  if (!second.succeeded) return { ...none, facts, jag: first.value, ...ended("redeem", second.failure) };
  return { verdict: "token", error: null, facts, jag: first.value, access: second.value };
}

function ended(
  stage: string,
  { meaning, error }: Extract<Outcome<never>, { readonly succeeded: false }>["failure"],
): Pick<Walk, "verdict" | "error"> {
  return { verdict: `${stage} ${error.code} ${meaning} ${error.reason}`, error };
}

function credentialOf({ secret, privateKey }: BedClient): string | null {
  return privateKey === null ? secret : JSON.stringify(privateKey);
}

function clientTable(client: BedClient, name: string): Readonly<Record<string, unknown>> {
  const field = client.privateKey === null ? "client_secret" : "private_key";
  return {
    client_id: client.id,
    token_endpoint_auth_method: client.method,
    ...(client.method === "none" ? {} : { [field]: { env: name } }),
  };
}

function configure(
  bed: EnterpriseBed,
  { server = {}, oauth = {} }: LegsOptions,
): { readonly server: EnterpriseServer; readonly provider: EnterpriseProvider } {
  const table = {
    url: bed.mcp.url,
    auth: "ema_auth",
    scopes: ["notes:read"],
    ...server,
    oauth: defined({
      ...clientTable(bed.as.client, "AS_CREDENTIAL"),
      authorization_server_issuer: bed.as.issuer,
      ...oauth,
    }),
  };
  const idp = { issuer: bed.idp.issuer, ...clientTable(bed.idp.client, "IDP_CREDENTIAL") };
  const { servers, providers, faults } = readConfiguration([{
    kind: "user",
    source: "test.toml",
    codexFile: false,
    values: {
      features: { use_xaa: true },
      mcp_enterprise_managed_auth: { idp },
      mcp_servers: { notes: defined(table) },
    },
  }]);
  const [notes] = servers;
  const [provider] = providers;
  if (notes !== undefined && provider !== undefined) return { server: notes, provider };
  throw new Error(`Cannot configure the client: ${faults.map(({ message }) => message).join("; ")}`);
}

function defined(table: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  return Object.fromEntries(Object.entries(table).filter(([, value]) => value !== undefined));
}
