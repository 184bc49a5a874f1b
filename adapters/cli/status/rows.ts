/**
 * Every configured server, from what is known without asking anybody: the configuration, the variables, the keyring.
 * What enterprise servers need is loaded where there is one.
 *
 * @module
 */

import type { DisabledServer } from "../../../core/enterprise/config/configuration.ts";
import type { LoadedHostConfiguration } from "../../configuration/load_configuration.ts";
import type { ProviderFacts } from "../enterprise/sign_in_facts.ts";
import type { CliRuntime } from "../program/runtime.ts";
import { ordinaryRow, refusedOrdinaryRow } from "./ordinary.ts";
import type { StatusRow } from "./row.ts";

/** What is known. */
export interface KnownServers {
  /** A row for each server, by name. */
  readonly rows: readonly StatusRow[];
  /** What is known of the sign-ins, by the name of their identity provider. */
  readonly facts: ReadonlyMap<string, ProviderFacts>;
}

/**
 * Finds it out.
 *
 * @throws {EnterpriseError} `LOCK_TIMEOUT` when another process holds the lock of the sign-ins for too long.
 */
export async function knownServers(
  runtime: CliRuntime,
  loaded: LoadedHostConfiguration,
): Promise<KnownServers> {
  const { servers, disabled, enterprise } = loaded.configuration;
  const isEnterprise = ({ name }: DisabledServer): boolean =>
    enterprise.disabled.some((one) => one.name === name);
  const { rows, facts } = await enterpriseServers(runtime, {
    loaded,
    refused: disabled.filter(isEnterprise),
  });
  const ordinary = servers.filter((entry) => entry.kind !== "enterprise");
  const all = [
    ...rows,
    ...ordinary.map((entry) => ordinaryRow(entry, runtime.environment)),
    ...disabled.filter((one) => !isEnterprise(one)).map(refusedOrdinaryRow),
  ];
  return { rows: all.toSorted((a, b) => a.name < b.name ? -1 : 1), facts };
}

async function enterpriseServers(
  runtime: CliRuntime,
  { loaded, refused }: {
    readonly loaded: LoadedHostConfiguration;
    readonly refused: readonly DisabledServer[];
  },
): Promise<KnownServers> {
  const { configuration: { servers, enterprise }, layers, remarks } = loaded;
  const entries = servers.filter((entry) => entry.kind === "enterprise");
  const facts = new Map<string, ProviderFacts>();
  if (entries.length + refused.length === 0) return { rows: [], facts };
  const { enterpriseRow, refusedEnterpriseRow } = await import("./enterprise.ts");
  const disabled = refused.map(refusedEnterpriseRow);
  if (entries.length === 0) return { rows: disabled, facts };
  const { enterpriseParts } = await import("../enterprise/parts.ts");
  const { factsOfProvider } = await import("../enterprise/sign_in_facts.ts");
  const parts = enterpriseParts(runtime, { configuration: enterprise, layers, remarks });
  const used = new Set(enterprise.servers.map(({ provider }) => provider));
  for (const provider of enterprise.providers.filter(({ name }) => used.has(name))) {
    facts.set(provider.name, await factsOfProvider(provider, parts));
  }
  const rows = entries.map((entry) => enterpriseRow(entry, { facts, clock: parts.clock }));
  return { rows: [...rows, ...disabled], facts };
}
