/**
 * Which identity provider of a host's configuration is meant.
 *
 * @module
 */

import type { EnterpriseProvider } from "../../../../core/enterprise/config/provider.ts";
import { EnterpriseError } from "../../../../core/enterprise/error.ts";

/**
 * The provider of this name; without a name the only one.
 *
 * @throws {EnterpriseError} `CONFIGURATION_REFUSED` when there is none of the name, or several and no name.
 */
export function providerNamed(
  providers: readonly EnterpriseProvider[],
  name: string | undefined,
): EnterpriseProvider {
  const [only, ...others] = name === undefined ? providers : providers.filter((one) => one.name === name);
  if (only !== undefined && others.length === 0) return only;
  const [reason, state] = only === undefined
    ? ["PROVIDER_UNKNOWN", "the configuration names none of that name"]
    : ["PROVIDER_AMBIGUOUS", "there are several: name one"];
  throw new EnterpriseError("CONFIGURATION_REFUSED", `Cannot use an identity provider: ${state}`, { reason });
}
