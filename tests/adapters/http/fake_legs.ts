/**
 * A host without a network: requests that answer as a test says, a grant source in memory, a clock that stands still.
 *
 * @module
 */

import type { EnterpriseLegs } from "../../../adapters/http/exchange/legs.ts";
import type { ExchangeFacts } from "../../../adapters/http/discovery/discovery.ts";
import { createDigest } from "../../../adapters/http/transport/digest.ts";
import {
  EnterpriseTokens,
  type EnterpriseTokensOptions,
} from "../../../adapters/http/tokens/enterprise_tokens.ts";
import { MemoryGrantSource } from "../../../adapters/http/grants/memory_grant_source.ts";
import type { Outcome, RequestFailure } from "../../../adapters/http/exchange/outcome.ts";
import { createEdgeRuntime } from "../../../adapters/http/transport/sending.ts";
import type { EnterpriseConfiguration } from "../../../core/enterprise/config/configuration.ts";
import { readConfiguration } from "../../../core/enterprise/config/configuration.ts";
import type { ServerMetadata } from "../../../core/enterprise/discovery/server_metadata.ts";
import { EnterpriseError, type EnterpriseErrorCode, type Leg } from "../../../core/enterprise/error.ts";
import { grantKey } from "../../../core/enterprise/grant/key.ts";
import type { GrantRecord } from "../../../core/enterprise/grant/record.ts";
import {
  type FailureMeaning,
  meaningOf,
  type OAuthErrorCode,
} from "../../../core/enterprise/exchange/oauth_error.ts";

/** URL of the one server. */
export const SERVER_URL = "https://mcp.example/mcp";

/** A thread at it. */
export const USE = { thread: "one", server: "notes" } as const;

/** The account. */
export const OWNER = { user: "alice", workspace: null } as const;

/** The metadata of an issuer. */
export function metadataOf(issuer: string): ServerMetadata {
  return {
    issuer,
    tokenEndpoint: `${issuer}/token`,
    revocationEndpoint: null,
    deviceEndpoint: null,
    authorizationEndpoint: null,
    jwksUri: null,
    clientMethods: null,
    issParameter: false,
    profile: "supported",
  };
}

/** A failure as a token endpoint's answer gives it. */
export function failureOf(leg: Leg, code: OAuthErrorCode | null, status: number = 400): RequestFailure {
  const oauth = { status, code };
  const meaning = meaningOf(oauth, leg);
  const error = new EnterpriseError(CODES[meaning], `Cannot go on: ${code}`, { leg });
  return { meaning, oauth, retryAfter: null, error };
}

const CODES: Readonly<Record<FailureMeaning, EnterpriseErrorCode>> = {
  "grant-in-doubt": "ASSERTION_REFUSED",
  "administrator": "ADMINISTRATOR_REFUSED",
  "assertion": "ASSERTION_REFUSED",
  "client": "CLIENT_REFUSED",
  "scope": "SCOPE_REFUSED",
  "stronger-sign-in": "STRONGER_SIGN_IN_REQUIRED",
  "binding": "REDEMPTION_REFUSED",
  "unavailable": "TEMPORARILY_UNAVAILABLE",
  "misconfigured": "EXCHANGE_REFUSED",
};

/** What was asked, in order, and how the next requests fail. */
export interface FakeLegs extends EnterpriseLegs {
  readonly asked: string[];
  readonly failures: Record<"exchange" | "redeem" | "refresh", RequestFailure[]>;
  facts: ExchangeFacts;
  /** What a successful request also brings. */
  rotated: string | null;
  renewed: string | null;
  /** Waits before each redemption. */
  gate: Promise<void>;
  /** Scopes that leg 1 was asked for, in order. */
  readonly scopes: (readonly string[] | null)[];
}

/** Creates the requests. */
export function createFakeLegs(): FakeLegs {
  let count = 0;
  const next = <Value>(name: "exchange" | "redeem" | "refresh", value: Value): Outcome<Value> => {
    const failure = legs.failures[name].shift();
    return failure === undefined ? { succeeded: true, value } : { succeeded: false, failure };
  };
  const legs: FakeLegs = {
    asked: [],
    failures: { exchange: [], redeem: [], refresh: [] },
    scopes: [],
    facts: {
      resource: SERVER_URL,
      authorizationServer: metadataOf("https://as.example"),
      provider: metadataOf("https://idp.example"),
      notes: [],
    },
    rotated: null,
    renewed: null,
    gate: Promise.resolve(),
    locate: () => {
      legs.asked.push("locate");
      return Promise.resolve(legs.facts);
    },
    forget: () => void legs.asked.push("forget"),
    exchange: async (_registration, { subjectToken, token, scopes, onRotated }) => {
      legs.asked.push(`exchange ${subjectToken} ${token}`);
      legs.scopes.push(scopes);
      if (legs.rotated !== null) await onRotated(legs.rotated);
      return next("exchange", { token: () => "id-jag", scopes, expiresAt: null, opaque: false, notes: [] });
    },
    redeem: async (_registration, { scopes }) => {
      legs.asked.push("redeem");
      await legs.gate;
      const token = `bearer-${count += 1}`;
      return next("redeem", { token: () => token, scopes, expiresIn: 300, receivedAt: 0, notes: [] });
    },
    refresh: async (_provider, { refreshToken, onRotated }) => {
      legs.asked.push(`refresh ${refreshToken}`);
      if (legs.rotated !== null) await onRotated(legs.rotated);
      const { renewed } = legs;
      return next("refresh", {
        idToken: renewed === null ? null : () => renewed,
        expiresAt: renewed === null ? null : 9_000,
      });
    },
    revoke: () => {
      legs.asked.push("revoke");
      return Promise.resolve({ kind: "revoked" });
    },
  };
  return legs;
}

/** A configuration of one identity provider and one server, with other members. */
export function configurationOf(members: Readonly<Record<string, unknown>> = {}): EnterpriseConfiguration {
  const values = {
    features: { use_xaa: true },
    mcp_enterprise_managed_auth: { idp: { issuer: "https://idp.example", client_id: "codex" } },
    mcp_servers: {
      notes: { url: SERVER_URL, auth: "ema_auth", scopes: ["read"], oauth: { client_id: "mcp" }, ...members },
    },
  };
  return readConfiguration([{ kind: "user", source: "config.toml", values, codexFile: true }]);
}

/** A grant of the account. */
export function recordOf(changes: Partial<GrantRecord> = {}): GrantRecord {
  return {
    issuer: "https://idp.example",
    clientId: "codex",
    ...OWNER,
    subject: "alice",
    generation: "01".repeat(16),
    revision: 0,
    refreshToken: "refresh-0",
    idToken: "id-0",
    idTokenExpiresAt: 9_000,
    signedInAt: 0,
    others: {},
    ...changes,
  };
}

/** Key of the account's grant. */
export function keyOf(): Promise<string> {
  return grantKey({ owner: OWNER, issuer: "https://idp.example", clientId: "codex" }, createDigest());
}

/** Stores a grant. */
export async function store(source: MemoryGrantSource, record: GrantRecord = recordOf()): Promise<void> {
  const key = await keyOf();
  await source.locked((grants) => grants.write(key, record), AbortSignal.timeout(5_000));
}

/** The grant that is stored; `null`: none. */
export async function stored(source: MemoryGrantSource): Promise<GrantRecord | null> {
  const key = await keyOf();
  return await source.locked((grants) => grants.read(key), AbortSignal.timeout(5_000));
}

/** A host. */
export interface FakeHost {
  readonly tokens: EnterpriseTokens;
  readonly legs: FakeLegs;
  readonly source: MemoryGrantSource;
  readonly clock: { time: number; now(): number; sleep(): Promise<boolean> };
}

/** Starts a host whose account is signed in. */
export async function startFakeHost(
  options: Partial<EnterpriseTokensOptions> & { readonly members?: Readonly<Record<string, unknown>> } = {},
): Promise<FakeHost> {
  const { members, ...given } = options;
  const legs = createFakeLegs();
  const source = new MemoryGrantSource();
  const clock = {
    time: 1_000,
    now: (): number => clock.time,
    sleep: (): Promise<boolean> => Promise.resolve(true),
  };
  const tokens = new EnterpriseTokens({
    legs,
    clock,
    digest: createDigest(),
    runtime: createEdgeRuntime(),
    grants: () => source,
    random: () => 0.5,
    ...given,
  });
  await tokens.loadConfiguration(configurationOf(members));
  await store(source);
  return { tokens, legs, source, clock };
}
