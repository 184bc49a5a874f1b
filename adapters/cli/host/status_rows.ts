/**
 * Every configured server, from what is known without asking anybody: the configuration, the variables, the keyring.
 *
 * @module
 */

import type { LoadedHostConfiguration } from "../../configuration/load_configuration.ts";
import { enterpriseParts } from "../enterprise/parts.ts";
import { factsOfProvider, type ProviderFacts } from "../enterprise/sign_in_facts.ts";
import type { CliRuntime } from "../runtime.ts";
import { enterpriseRow, refusedEnterpriseRow } from "./status_enterprise.ts";
import { ordinaryRow, refusedOrdinaryRow } from "./status_ordinary.ts";
import type { StatusRow } from "./status_row.ts";

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
  { configuration, layers, remarks }: LoadedHostConfiguration,
): Promise<KnownServers> {
  const { servers, disabled, enterprise } = configuration;
  const parts = enterpriseParts(runtime, { configuration: enterprise, layers, remarks });
  const used = new Set(enterprise.servers.map(({ provider }) => provider));
  const facts = new Map<string, ProviderFacts>();
  for (const provider of enterprise.providers.filter(({ name }) => used.has(name))) {
    facts.set(provider.name, await factsOfProvider(provider, parts));
  }
  const isEnterprise = (name: string): boolean => enterprise.disabled.some((one) => one.name === name);
  const rows = [
    ...servers.map((entry) =>
      entry.kind === "enterprise"
        ? enterpriseRow(entry, { facts, clock: parts.clock })
        : ordinaryRow(entry, runtime.environment)
    ),
    ...disabled.map((one) => isEnterprise(one.name) ? refusedEnterpriseRow(one) : refusedOrdinaryRow(one)),
  ];
  return { rows: rows.toSorted((a, b) => a.name < b.name ? -1 : 1), facts };
}
