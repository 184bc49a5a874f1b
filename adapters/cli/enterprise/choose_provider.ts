/**
 * Which identity provider a command is about: the one that `--idp` names, else the only one.
 *
 * What a provider must have is decided in `core/enterprise/config/provider.ts`.
 *
 * @module
 */

import { faultError } from "../../../core/configuration/layers/fault.ts";
import type { EnterpriseConfiguration } from "../../../core/enterprise/config/configuration.ts";
import type { EnterpriseProvider } from "../../../core/enterprise/config/provider.ts";
import { EnterpriseError } from "../../../core/enterprise/error.ts";
import { UsageError } from "../program/exit_code.ts";

/**
 * The provider of this name; `undefined`: the only one. Throws a `UsageError` when the name is not known, or there are
 * several and none is named.
 *
 * @throws {EnterpriseError} `CONFIGURATION_REFUSED` when no provider can be used.
 */
export function chooseProvider(
  { providers, faults }: EnterpriseConfiguration,
  name: string | undefined,
): EnterpriseProvider {
  const [first, second] = providers;
  const fault = faults.find(({ field }) => field.startsWith("mcp_enterprise_managed_auth"));
  if (first === undefined) {
    if (fault !== undefined) throw faultError(fault);
    throw new EnterpriseError(
      "CONFIGURATION_REFUSED",
      "Cannot find an identity provider: none is configured. " +
        "Write [mcp_enterprise_managed_auth.idp] with issuer and client_id into config.toml.",
      { reason: "PROVIDER_MISSING", field: "mcp_enterprise_managed_auth.idp" },
    );
  }
  const names = providers.map((provider) => provider.name).join(", ");
  if (name === undefined) {
    if (second === undefined) return first;
    throw new UsageError(`There are several identity providers. Name one with --idp: ${names}.`);
  }
  const found = providers.find((provider) => provider.name === name);
  if (found !== undefined) return found;
  const own = faults.find(({ field }) => field.startsWith(`mcp_enterprise_managed_auth.idps.${name}`));
  if (own !== undefined) throw faultError(own);
  throw new UsageError(`There is no identity provider ${JSON.stringify(name)}. There is: ${names}.`);
}
