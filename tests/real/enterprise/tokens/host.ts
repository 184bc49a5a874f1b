/**
 * A host for tests over the enterprise test bed: its configuration read by the real rules, a sign-in made without a
 * browser, a grant source in memory, and a clock that can be moved.
 *
 * @module
 */

import type { AuthorizationEffect } from "../../../../core/enterprise/authorization/event.ts";
import { readConfiguration } from "../../../../core/enterprise/config/configuration.ts";
import type { EnterpriseConfiguration } from "../../../../core/enterprise/config/configuration.ts";
import type { ConfigurationLayer } from "../../../../core/configuration/layers/layer.ts";
import type { EnterpriseProvider } from "../../../../core/enterprise/config/provider.ts";
import { inlineSecret } from "../../../../core/enterprise/config/secret.ts";
import { newGeneration } from "../../../../core/enterprise/grant/generation.ts";
import { grantKey } from "../../../../core/enterprise/grant/key.ts";
import type { GrantRecord } from "../../../../core/enterprise/grant/record.ts";
import { readCompactToken } from "../../../../core/enterprise/exchange/jwt.ts";
import type { ClockPort } from "../../../../core/ports/clock.ts";
import { createSendingRuntime } from "../../../../adapters/deno/sending.ts";
import { createClock } from "../../../../adapters/http/transport/clock.ts";
import { createDigest } from "../../../../adapters/http/transport/digest.ts";
import { createEnterpriseLegs } from "../../../../adapters/http/exchange/enterprise_legs.ts";
import {
  EnterpriseTokens,
  type EnterpriseTokensOptions,
} from "../../../../adapters/http/tokens/enterprise_tokens.ts";
import type { GrantSource } from "../../../../adapters/http/grants/grant_source.ts";
import type { SharedLeases } from "../../../../adapters/http/leases/shared_leases.ts";
import { createHttp } from "../../../../adapters/http/transport/http.ts";
import { MemoryGrantSource } from "../../../../adapters/http/grants/memory_grant_source.ts";
import { ACCOUNTS, type BedClient, type EnterpriseBed } from "../../../fixtures/enterprise/mod.ts";
import { signIn } from "../../../fixtures/enterprise/trace/trace.ts";

/** What a test may choose. */
export interface HostOptions {
  /** Members of each server's table that differ; `undefined` takes one away. */
  readonly server?: Readonly<Record<string, unknown>>;
  /** The same for the identity provider. */
  readonly idp?: Readonly<Record<string, unknown>>;
  /** Names of servers that are not configured. */
  readonly without?: readonly string[];
  /** `features.use_xaa`; default `true`. */
  readonly feature?: boolean;
  readonly ownerFrom?: "host" | "sign-in";
  readonly source?: GrantSource;
  readonly deadline?: number;
  readonly random?: () => number;
  readonly sharedLeases?: SharedLeases;
}

/** A host over the bed. */
export interface Host {
  readonly tokens: EnterpriseTokens;
  readonly source: GrantSource;
  readonly provider: EnterpriseProvider;
  readonly clock: ClockPort & { shift: number };
  readonly effects: AuthorizationEffect[];
  /** Signs in and stores the grant as another process would. Gives the record. */
  signIn(account?: string, changes?: Partial<GrantRecord>): Promise<GrantRecord>;
  /** Loads the configuration with other members. */
  load(options: Pick<HostOptions, "server" | "idp" | "without" | "feature">): Promise<void>;
}

/** Starts a host that has loaded the bed's configuration; nobody is signed in. */
export async function startHost(bed: EnterpriseBed, options: HostOptions = {}): Promise<Host> {
  const layer = layerOf(bed, options);
  const configuration = readConfiguration([layer]);
  const [provider] = configuration.providers;
  if (provider === undefined) {
    throw new Error(`Cannot start the host: ${JSON.stringify(configuration.faults)}`);
  }
  const clock = createShiftedClock();
  const digest = createDigest();
  const source = options.source ?? new MemoryGrantSource();
  const effects: AuthorizationEffect[] = [];
  const layers = [layer];
  const runtime = createSendingRuntime();
  const legs = createEnterpriseLegs({
    http: createHttp({ runtime }),
    clock,
    readSecret: (reference) => {
      const secret = reference.kind === "inline" ? inlineSecret(layers, reference) : null;
      if (secret === null) throw new Error("Cannot read the secret: it is not in the layer");
      return Promise.resolve(secret);
    },
  });
  const given: Partial<EnterpriseTokensOptions> = {
    ...(options.ownerFrom === undefined ? {} : { ownerFrom: options.ownerFrom }),
    ...(options.deadline === undefined ? {} : { deadline: options.deadline }),
    ...(options.random === undefined ? {} : { random: options.random }),
    ...(options.sharedLeases === undefined ? {} : { sharedLeases: options.sharedLeases }),
  };
  const onEffect = (effect: AuthorizationEffect): void => void effects.push(effect);
  const tokens = new EnterpriseTokens({
    legs,
    clock,
    digest,
    runtime,
    grants: () => source,
    onEffect,
    ...given,
  });
  await tokens.loadConfiguration(configuration);
  return {
    tokens,
    source,
    provider,
    clock,
    effects,
    signIn: (account = "alice", changes = {}) => storeSignIn(bed, { account, changes, provider, source }),
    load: async (changed) => {
      const next = layerOf(bed, changed);
      layers.splice(0, 1, next);
      await tokens.loadConfiguration(readConfiguration([next]));
    },
  };
}

/** The configuration of a bed under other members, for tests that load it themselves. */
export function configurationOf(bed: EnterpriseBed, options: HostOptions = {}): EnterpriseConfiguration {
  return readConfiguration([layerOf(bed, options)]);
}

/** The one layer of it. */
export function layerOf(
  bed: EnterpriseBed,
  { server = {}, idp = {}, without = [], feature = true }: HostOptions,
): ConfigurationLayer {
  const server_ = (url: string): Record<string, unknown> => {
    const { oauth = {}, ...rest } = server;
    return {
      url,
      auth: "ema_auth",
      scopes: ["notes:read"],
      ...rest,
      oauth: { ...fieldsOf(bed.as.client), authorization_server_issuer: bed.as.issuer, ...Object(oauth) },
    };
  };
  const servers = { notes: server_(bed.mcp.url), second: server_(bed.mcp.secondUrl) };
  const values = {
    features: { use_xaa: feature },
    mcp_enterprise_managed_auth: { idp: { issuer: bed.idp.issuer, ...fieldsOf(bed.idp.client), ...idp } },
    mcp_servers: Object.fromEntries(Object.entries(servers).filter(([name]) => !without.includes(name))),
  };
  return { kind: "user", source: "config.toml", values: withoutUndefined(values), codexFile: true };
}

function fieldsOf({ id, method, secret, privateKey }: BedClient): Record<string, unknown> {
  return {
    client_id: id,
    ...(secret === null ? {} : { client_secret: secret }),
    ...(privateKey === null ? {} : { private_key: JSON.stringify(privateKey) }),
    ...(method === "none" ? {} : { token_endpoint_auth_method: method }),
  };
}

function withoutUndefined(value: unknown): unknown {
  return JSON.parse(JSON.stringify(value));
}

function createShiftedClock(): ClockPort & { shift: number } {
  const clock = createClock();
  const shifted = {
    shift: 0,
    now: (): number => clock.now() + shifted.shift,
    sleep: clock.sleep,
  };
  return shifted;
}

interface Storing {
  readonly account: string;
  readonly changes: Partial<GrantRecord>;
  readonly provider: EnterpriseProvider;
  readonly source: GrantSource;
}

async function storeSignIn(
  bed: EnterpriseBed,
  { account, changes, provider, source }: Storing,
): Promise<GrantRecord> {
  const record = { ...await recordOf(bed, { account, provider }), ...changes };
  const owner = { user: record.user, workspace: record.workspace };
  const key = await grantKey(
    { owner, issuer: provider.issuer, clientId: provider.client.clientId },
    createDigest(),
  );
  await source.locked((grants) => grants.write(key, record), AbortSignal.timeout(5_000));
  return record;
}

/** Signs in as an account of the bed. */
export async function recordOf(
  bed: EnterpriseBed,
  { account, provider }: Pick<Storing, "account" | "provider">,
): Promise<GrantRecord> {
  const person = ACCOUNTS.find(({ name }) => name === account);
  const { tokens } = await signIn(bed, { login_hint: account });
  if (tokens === null || person === undefined) throw new Error(`Cannot sign in as ${account}`);
  const idToken = String(tokens["id_token"]);
  const parsed = readCompactToken(idToken);
  return {
    issuer: provider.issuer,
    clientId: provider.client.clientId,
    user: person.subject,
    workspace: person.workspace,
    subject: person.subject,
    generation: newGeneration(crypto.getRandomValues(new Uint8Array(16))),
    revision: 0,
    refreshToken: typeof tokens["refresh_token"] === "string" ? tokens["refresh_token"] : null,
    idToken,
    idTokenExpiresAt: parsed.kind === "signed" ? Number(parsed.claims["exp"]) : null,
    signedInAt: Math.floor(Date.now() / 1000),
    others: {},
  };
}
