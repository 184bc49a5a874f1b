/**
 * What the doctor looks at in the configured servers: the configuration itself, the keyring, the identity providers,
 * each server, the clocks. What asks the network is asked at the same time, each within its deadline.
 *
 * Without enterprise servers or identity providers, nothing is said of keyring, providers and clocks.
 *
 * @module
 */

import type { EnterpriseEntry } from "../../../core/configuration/entry.ts";
import type { EnterpriseProvider } from "../../../core/enterprise/config/provider.ts";
import { withinSeconds } from "../../async/deadline.ts";
import type { LoadedHostConfiguration } from "../../configuration/load_configuration.ts";
import { enterpriseParts } from "../enterprise/parts.ts";
import type { CliRuntime } from "../program/runtime.ts";
import { checkClock } from "./clock.ts";
import { configurationFindings, faultFinding, providerFindings } from "./configuration.ts";
import { checkEnterpriseServer } from "./enterprise_server.ts";
import type { Finding } from "./finding.ts";
import { checkKeyring } from "./keyring.ts";
import { observeHttp } from "./observed_http.ts";
import { checkOrdinaryServer } from "./ordinary_server.ts";
import { checkProvider } from "./provider.ts";

/** Seconds for everything that asks the network. */
const SECONDS = 30;

/** What is looked at. */
export interface ServersCheck {
  /** Absolute path of the project. */
  readonly directory: string;
  /** Names of the servers; `null`: all, and the configuration as a whole. */
  readonly names: readonly string[] | null;
  /** Ends it. */
  readonly signal: AbortSignal;
}

/** Looks at them. */
export async function checkServers(
  runtime: CliRuntime,
  loaded: LoadedHostConfiguration,
  { directory, names, signal }: ServersCheck,
): Promise<readonly Finding[]> {
  const { configuration } = loaded;
  const isMeant = ({ name }: { readonly name: string }): boolean => names === null || names.includes(name);
  const entries = configuration.servers.filter(isMeant);
  const enterprise = entries.filter((one) => one.kind === "enterprise");
  const used = new Set(enterprise.map(({ server }) => server.provider));
  const providers = configuration.enterprise.providers.filter(({ name }) => names === null || used.has(name));
  const remote = await checkRemote(runtime, loaded, { providers, enterprise, signal });
  const { environment, platform } = runtime;
  const place = { environment, platform, directory };
  const local = await Promise.all(
    entries.map((entry) => entry.kind === "enterprise" ? null : checkOrdinaryServer(entry, place)),
  );
  return [
    ...(names === null
      ? configurationFindings(configuration)
      : providerFindings(configuration, configuration.disabled.filter(isMeant))),
    ...remote.before,
    ...entries.flatMap(({ name }, index) => local[index] ?? remote.servers.get(name) ?? []),
    ...configuration.disabled.filter(isMeant).map(faultFinding),
    ...remote.after,
  ];
}

interface Remote {
  readonly providers: readonly EnterpriseProvider[];
  readonly enterprise: readonly EnterpriseEntry[];
  readonly signal: AbortSignal;
}

interface RemoteFindings {
  readonly before: readonly Finding[];
  readonly servers: ReadonlyMap<string, readonly Finding[]>;
  readonly after: readonly Finding[];
}

async function checkRemote(
  runtime: CliRuntime,
  { configuration, layers, remarks }: LoadedHostConfiguration,
  { providers, enterprise, signal }: Remote,
): Promise<RemoteFindings> {
  if (providers.length === 0) return { before: [], servers: new Map(), after: [] };
  const parts = enterpriseParts(runtime, { configuration: configuration.enterprise, layers, remarks });
  const { openSecrets } = runtime;
  const keyring = await checkKeyring(providers, { ...parts, openSecrets, signal });
  const observed = observeHttp(parts.http, parts.clock);
  const { Discovery } = await import("../../http/discovery/discovery.ts");
  const { http } = observed;
  const common = {
    http,
    readSecret: parts.readSecret,
    discovery: new Discovery({ http, clock: parts.clock }),
  };
  const within = <Found>(work: (ending: AbortSignal) => Promise<Found>): Promise<Found> =>
    withinSeconds(work, { seconds: SECONDS, signal });
  const [idps, servers] = await Promise.all([
    Promise.all(
      providers.map((one) => within((ending) => checkProvider(one, { ...common, signal: ending }))),
    ),
    Promise.all(enterprise.map(async ({ name, enabled, server }) => {
      const found = enabled
        ? await within((ending) => checkEnterpriseServer(server, { ...common, signal: ending }))
        : [switchedOff(name)];
      return [name, found] as const;
    })),
  ]);
  signal.throwIfAborted();
  return { before: [keyring, ...idps.flat()], servers: new Map(servers), after: checkClock(observed) };
}

function switchedOff(name: string): Finding {
  return { id: "server", subject: name, status: "skipped", found: "switched off (enabled = false)" };
}
