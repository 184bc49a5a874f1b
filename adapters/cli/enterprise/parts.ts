/**
 * What the commands about sign-ins work with, put together once a command: configuration, transport, clock, secrets,
 * the store of grants. What a command does not use is not loaded: `status` loads no OAuth library.
 *
 * @module
 */

import type { ConfigurationLayer } from "../../../core/configuration/layers/layer.ts";
import type { EnterpriseConfiguration } from "../../../core/enterprise/config/configuration.ts";
import type { EnterpriseProvider } from "../../../core/enterprise/config/provider.ts";
import type { ServerMetadata } from "../../../core/enterprise/discovery/server_metadata.ts";
import type { ClockPort } from "../../../core/ports/clock.ts";
import type { DigestPort } from "../../../core/ports/digest.ts";
import type { HttpPort } from "../../../core/ports/http.ts";
import { variablesOf } from "../../configuration/variables.ts";
import type { SecretReader } from "../../http/client/secret_reader.ts";
import type { GrantSource } from "../../http/grants/grant_source.ts";
import { createClock } from "../../http/transport/clock.ts";
import { createDigest } from "../../http/transport/digest.ts";
import { createHttp } from "../../http/transport/http.ts";
import type { SendingRuntime } from "../../http/transport/sending.ts";
import type { Flags } from "../program/flags.ts";
import { loadOffline } from "../program/load_configuration.ts";
import { onSameFile } from "../program/next_command.ts";
import type { CliRuntime } from "../program/runtime.ts";
import { visible } from "../terminal/shown.ts";
import { diagnose } from "../terminal/terminal.ts";
import { secretReader } from "./secret_reader.ts";
import { type TypedInput, typedInput } from "./typed_input.ts";

/** The configuration as it was read. */
export interface LoadedConfiguration {
  /** What the layers say together about enterprise-managed authorization. */
  readonly configuration: EnterpriseConfiguration;
  /** The layers themselves. They may hold secrets: never print them. */
  readonly layers: readonly ConfigurationLayer[];
  /** Files that are not taken for what they were named as, or not read at all, a sentence each. */
  readonly remarks: readonly string[];
}

/** What a command works with. */
export interface EnterpriseParts extends LoadedConfiguration {
  /** How this program sends. */
  readonly sending: SendingRuntime;
  /** Sends requests. */
  readonly http: HttpPort;
  /** Tells the time. */
  readonly clock: ClockPort;
  /** Computes digests. */
  readonly digest: DigestPort;
  /** Reads secrets of the configuration. */
  readonly readSecret: SecretReader;
  /** Standard input. */
  readonly input: TypedInput;
  /** The grants of our client at `provider`. Loads the keyring. */
  grants(provider: EnterpriseProvider): Promise<GrantSource>;
  /** The metadata of a provider, checked. Loads the discovery. */
  discover(provider: EnterpriseProvider, signal: AbortSignal): Promise<ServerMetadata>;
}

/** How long the keyring may take, in milliseconds. A person may have to unlock it. */
export const KEYRING_MS = 60_000;

/**
 * Reads the configuration and prepares the rest. Says on standard error what of it should be changed.
 *
 * @throws {EnterpriseError} `CONFIGURATION_REFUSED` when a file of host policy cannot be used.
 * @throws {EnterpriseError} `CONFIGURATION_UNAVAILABLE` when a file is there and cannot be read, or the file that
 * the command line names is not there.
 */
export async function openEnterprise(runtime: CliRuntime, flags: Flags): Promise<EnterpriseParts> {
  const { configuration: { enterprise: configuration }, layers, remarks } = await loadOffline(runtime, flags);
  const loaded = { configuration, layers, remarks };
  if (!flags.has("json")) {
    for (const line of complaints(loaded)) diagnose(`codex-mcp: ${visible(onSameFile(line, flags))}`);
  }
  return enterpriseParts(runtime, loaded);
}

/** Prepares what works on a configuration that is read. */
export function enterpriseParts(runtime: CliRuntime, loaded: LoadedConfiguration): EnterpriseParts {
  const { environment } = runtime;
  const sending = runtime.createSending(variablesOf(runtime));
  const http = createHttp({ runtime: sending });
  const clock = createClock();
  const input = typedInput();
  return {
    ...loaded,
    sending,
    http,
    clock,
    digest: createDigest(),
    input,
    readSecret: secretReader({
      environment,
      layers: loaded.layers,
      input,
      keyring: async (name, signal) => (await runtime.openSecrets()).secret(name, signal),
    }),
    grants: async (provider) => (await runtime.openSecrets()).grants(provider),
    discover: async (provider, signal) => {
      const { Discovery } = await import("../../http/discovery/discovery.ts");
      return (await new Discovery({ http, clock }).provider(provider, { signal })).value;
    },
  };
}

/** What should be changed, in a line or two: `status` tells it in full. */
function complaints({ remarks, configuration: { warnings } }: LoadedConfiguration): readonly string[] {
  const inline = warnings.filter(({ code }) => code === "SECRET_INLINE").length;
  const many = inline === 1 ? "A secret stands" : `${inline} secrets stand`;
  return inline === 0
    ? remarks
    : [...remarks, `${many} in the configuration itself. Look with codex-mcp status, and move them out.`];
}
