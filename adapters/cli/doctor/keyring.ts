/**
 * Whether the keyring of this system can be read: absent, locked, or usable. Nothing is written: an item that is not
 * there is asked for, and the sign-ins that are.
 *
 * What the keyring is, is decided in `adapters/keyring`.
 *
 * @module
 */

import type { EnterpriseProvider } from "../../../core/enterprise/config/provider.ts";
import { EnterpriseError } from "../../../core/enterprise/error.ts";
import { withinSeconds } from "../../async/deadline.ts";
import type { EnterpriseParts } from "../enterprise/parts.ts";
import { factsOfProvider } from "../enterprise/sign_in_facts.ts";
import type { SecretStore } from "../program/keyring_secrets.ts";
import { failedFinding } from "./failed_finding.ts";
import type { Finding } from "./finding.ts";

/** Seconds for the keyring. */
const SECONDS = 20;

/** Name of an item that nobody stores. */
const NOBODY = "codex-mcp-doctor";

/** What the check works with. */
export interface KeyringCheck extends Pick<EnterpriseParts, "grants" | "digest"> {
  /** Opens the keyring. */
  readonly openSecrets: () => Promise<SecretStore>;
  /** Ends it. */
  readonly signal: AbortSignal;
}

/** Reads the keyring. */
export async function checkKeyring(
  providers: readonly EnterpriseProvider[],
  { openSecrets, grants, digest, signal }: KeyringCheck,
): Promise<Finding> {
  const id = "keyring";
  try {
    const store = await openSecrets();
    await withinSeconds((ending) => store.secret(NOBODY, ending), { seconds: SECONDS, signal });
    const signedIn: string[] = [];
    for (const provider of providers) {
      if (!await hasMarker(await grants(provider), signal)) continue;
      // a locked keyring tells so only when an item that is there is read
      const { trouble, account } = await factsOfProvider(provider, { grants, digest });
      if (trouble !== null) throw trouble;
      if (account !== null) signedIn.push(provider.name);
    }
    const whose = signedIn.length === 0 ? "holds no sign-in" : `holds the sign-in at ${signedIn.join(", ")}`;
    return { id, status: "ok", found: `the ${store.backend} can be read, and ${whose}` };
  } catch (error) {
    return failedFinding(error, { id, field: "the keyring" });
  }
}

/** Whether somebody is, or was, signed in; a marker that cannot be read says that somebody is. */
async function hasMarker(
  grants: Awaited<ReturnType<KeyringCheck["grants"]>>,
  signal: AbortSignal,
): Promise<boolean> {
  try {
    return ((await grants.marker(signal))?.current ?? null) !== null;
  } catch (error) {
    if (error instanceof EnterpriseError && error.code === "MARKER_MALFORMED") return true;
    throw error;
  }
}
