/**
 * The last outcome on the configuration of enterprise servers, for accounts that come later, and what it alone says
 * about a server: that there is none, that it is invalid, or that it disables the server.
 *
 * What it does to threads is decided in `core/enterprise/authorization/transition.ts`.
 *
 * @module
 */

import type { ConfigurationFault } from "../../../../../core/configuration/layers/fault.ts";
import type { EnterpriseConfiguration } from "../../../../../core/enterprise/config/configuration.ts";
import type { EnterpriseServer } from "../../../../../core/enterprise/config/server.ts";
import { EnterpriseError } from "../../../../../core/enterprise/error.ts";
import type { ServerStatus } from "../../../../../core/enterprise/status/status.ts";
import { guidance } from "../../../../../core/enterprise/status/status_text.ts";
import { HostError, quote } from "../../../../../core/errors.ts";

/** The last outcome. */
export interface ConfigurationOutcome {
  /** Whether it holds. */
  readonly kind: "valid" | "rejected" | "unavailable";
  /** What was loaded last; `null`: nothing yet. */
  readonly loaded: EnterpriseConfiguration | null;
  /** What is wrong; `null` unless it is invalid. */
  readonly fault: Pick<ConfigurationFault, "field" | "layer"> | null;
}

/** Nothing was said yet. */
export const NOT_LOADED: ConfigurationOutcome = { kind: "unavailable", loaded: null, fault: null };

/** The server of this name; `undefined`: none can be used. */
export function serverNamed({ loaded }: ConfigurationOutcome, name: string): EnterpriseServer | undefined {
  return loaded?.servers.find((one) => one.name === name);
}

/** Name of the identity provider of a server; `null` when it is not known. */
export function providerOf(outcome: ConfigurationOutcome, server: string): string | null {
  return serverNamed(outcome, server)?.provider ?? null;
}

/**
 * The status of a server as far as the configuration alone decides it; `null`: it is configured and can be used.
 *
 * @throws {HostError} `SERVER_UNKNOWN` when no enterprise server has this name.
 */
export function statusByWord(outcome: ConfigurationOutcome, server: string): ServerStatus | null {
  const { kind, loaded, fault } = outcome;
  if (kind === "rejected") {
    return { kind: "configuration-rejected", field: fault?.field ?? "", layer: fault?.layer ?? null };
  }
  if (kind === "unavailable" || loaded === null) return { kind: "configuration-unavailable" };
  const first = loaded.disabled.find(({ name }) => name === server)?.faults[0];
  if (first !== undefined) {
    return { kind: "disabled", code: first.code, field: first.field, layer: first.layer };
  }
  if (serverNamed(outcome, server) !== undefined) return null;
  const state = "the configuration names no enterprise server of this name";
  throw new HostError("SERVER_UNKNOWN", `Cannot use the server ${quote(server)}: ${state}`, { server });
}

/** The error for a server that the configuration alone keeps from being used; `null`: it does not. */
export function refusalByWord(
  outcome: ConfigurationOutcome,
  server: string,
): EnterpriseError | HostError | null {
  let status: ServerStatus | null;
  try {
    status = statusByWord(outcome, server);
  } catch (error) {
    if (error instanceof HostError) return error;
    throw error;
  }
  if (status === null) return null;
  const message = `Cannot use the server ${quote(server)}: ${guidance(status, { server, provider: null })}`;
  if (status.kind === "configuration-rejected") {
    return new EnterpriseError("CONFIGURATION_REFUSED", message, { field: status.field });
  }
  if (status.kind === "disabled") {
    return new EnterpriseError("SERVER_DISABLED", message, { reason: status.code, field: status.field });
  }
  return new EnterpriseError("CONFIGURATION_UNAVAILABLE", message);
}
