/**
 * `codex-mcp logout`: deletes the stored sign-in of the current account, voids what running hosts hold of it, and asks
 * the identity provider to revoke it. What could not be done is said.
 *
 * @module
 */

import { loginCommand } from "../../core/enterprise/status_text.ts";
import type { EnterpriseProvider } from "../../core/enterprise/config/provider.ts";
import { EnterpriseError } from "../../core/enterprise/error.ts";
import type { GrantRecord } from "../../core/enterprise/grant/record.ts";
import { signOut } from "../http/sign_in/commit.ts";
import type { Command } from "./command_line.ts";
import { commandOf, withAdvice } from "./enterprise/advice.ts";
import { chooseProvider } from "./enterprise/choose_provider.ts";
import { type EnterpriseParts, KEYRING_MS, openEnterprise } from "./enterprise/parts.ts";
import { EXIT, UsageError } from "./exit_code.ts";
import type { Flags } from "./flags.ts";
import type { CliRuntime } from "./runtime.ts";
import { diagnose, print, printJson } from "./terminal.ts";

const HELP = `codex-mcp logout [flags]

Deletes the sign-in at an identity provider from the keyring and has the provider revoke it, where it offers that.
All enterprise servers of the provider share the sign-in. With nothing stored there is nothing to do, which is no error.

  --idp NAME     the identity provider, when there are several
  --config FILE  this file instead of config.toml in CODEX_HOME
  --json         print one JSON document: { "provider", "signedOut", "revoked", "undone" }
`;

/** The command. */
export const LOGOUT: Command = {
  help: HELP,
  flags: { values: ["idp", "config"] },
  run: (runtime, flags) => withAdvice(commandOf("logout", flags), () => logout(runtime, flags)),
};

/** How long the identity provider may take to revoke, in milliseconds. */
const REVOCATION_MS = 15_000;

async function logout(runtime: CliRuntime, flags: Flags): Promise<number> {
  if (flags.rest.length > 0) throw new UsageError("logout takes flags alone.");
  const parts = await openEnterprise(runtime, flags);
  if (isEmpty(parts) && flags.value("idp") === undefined) return tellNothing(flags);
  const provider = chooseProvider(parts.configuration, flags.value("idp"));
  const { record, deleted } = await signOut(await parts.grants(provider), AbortSignal.timeout(KEYRING_MS));
  const revocation = await revoke(record, { parts, provider });
  const { revoked } = revocation;
  const undone = [
    ...(revocation.undone === null ? [] : [revocation.undone]),
    ...(deleted ? ["Access tokens that running programs hold expire by themselves."] : []),
  ];
  if (flags.has("json")) {
    printJson({ provider: provider.name, signedOut: deleted, revoked, undone });
    return EXIT.done;
  }
  print(deleted ? `Signed out at ${provider.issuer}.` : `Nobody is signed in at ${provider.issuer}.`);
  if (revoked) print("The identity provider has revoked the sign-in.");
  for (const sentence of undone) diagnose(sentence);
  if (deleted) print(`To sign in again: ${loginCommand(provider.name)}`);
  return EXIT.done;
}

/** Whether nothing is configured, nor tried to be. */
function isEmpty({ configuration: { providers, faults } }: EnterpriseParts): boolean {
  return providers.length === 0 && faults.length === 0;
}

function tellNothing(flags: Flags): number {
  if (flags.has("json")) printJson({ provider: null, signedOut: false, revoked: false, undone: [] });
  else print("No identity provider is configured, so nobody is signed in at one.");
  return EXIT.done;
}

interface Revocation {
  readonly revoked: boolean;
  /** What could not be done; `null`: there was nothing more to do. */
  readonly undone: string | null;
}

async function revoke(
  record: GrantRecord | null,
  { parts, provider }: { readonly parts: EnterpriseParts; readonly provider: EnterpriseProvider },
): Promise<Revocation> {
  if (record === null) return { revoked: false, undone: null };
  if (record.refreshToken === null) {
    return { revoked: false, undone: "An ID token cannot be revoked: it expires by itself." };
  }
  const outcome = await ask(record.refreshToken, { parts, provider });
  if (outcome === "revoked") return { revoked: true, undone: null };
  return {
    revoked: false,
    undone: outcome === "not-offered"
      ? "The identity provider offers no revocation: there the sign-in lives on until it expires."
      : `The identity provider has not revoked the sign-in. ${outcome.message}`,
  };
}

async function ask(
  token: string,
  { parts, provider }: { readonly parts: EnterpriseParts; readonly provider: EnterpriseProvider },
): Promise<"revoked" | "not-offered" | EnterpriseError> {
  const signal = AbortSignal.timeout(REVOCATION_MS);
  try {
    const { revokeToken } = await import("../http/revoke.ts");
    const { http, readSecret } = parts;
    const metadata = await parts.discover(provider, signal);
    const context = { http, readSecret, metadata, client: provider.client, signal };
    const revocation = await revokeToken({ ...context, token, hint: "refresh_token" });
    return revocation.kind === "failed" ? revocation.error : revocation.kind;
  } catch (error) {
    if (error instanceof EnterpriseError) return error;
    throw error;
  }
}
