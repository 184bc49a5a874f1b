/**
 * `codex-mcp logout`: voids the stored sign-in of the current account, and with it what running hosts hold of it, then
 * deletes it from the keyring, then asks the identity provider to revoke it. What could not be done is said. A keyring
 * that is locked keeps nobody signed in: its item is void, and the command says how to have it deleted.
 *
 * @module
 */

import type { EnterpriseProvider } from "../../../core/enterprise/config/provider.ts";
import type { GrantRecord } from "../../../core/enterprise/grant/record.ts";
import { loginCommand } from "../../../core/enterprise/status/status_text.ts";
import type { EndedSignIn } from "../../http/grants/grant_source.ts";
import { signOut } from "../../http/grants/store_sign_in.ts";
import { commandOf, withAdvice } from "../enterprise/advice.ts";
import { chooseProvider } from "../enterprise/choose_provider.ts";
import { type EnterpriseParts, KEYRING_MS, openEnterprise } from "../enterprise/parts.ts";
import { revokeGrant } from "../enterprise/revoke_grant.ts";
import type { Command } from "../program/command.ts";
import { EXIT, exitCodeOf } from "../program/exit_code.ts";
import { type Flags, requireFlagsAlone } from "../program/flags.ts";
import { onSameFile } from "../program/next_command.ts";
import type { CliRuntime } from "../program/runtime.ts";
import { diagnose, print, printJson } from "../terminal/terminal.ts";

const HELP = `codex-mcp logout [flags]

Deletes the sign-in at an identity provider from the keyring and has the provider revoke it, where it offers that.
All enterprise servers of the provider share the sign-in. With nothing stored there is nothing to do, which is no error.
When the keyring does not delete its item, nobody is signed in all the same; the exit code is 5, and the next logout or
login deletes it.

  --idp NAME     the identity provider, when there are several
  --config FILE  this file instead of config.toml in CODEX_HOME, in TOML or JSON
  --json         print one JSON document: { "provider", "signedOut", "revoked", "undone" }
`;

/** The command. */
export const LOGOUT: Command = {
  help: HELP,
  flags: { values: ["idp", "config"] },
  run: (runtime, flags) => withAdvice(commandOf("logout", flags), () => logout(runtime, flags)),
};

async function logout(runtime: CliRuntime, flags: Flags): Promise<number> {
  requireFlagsAlone("logout", flags);
  const parts = await openEnterprise(runtime, flags);
  if (isEmpty(parts) && flags.value("idp") === undefined) return tellNothing(flags);
  const provider = chooseProvider(parts.configuration, flags.value("idp"));
  const ended = await signOut(await parts.grants(provider), AbortSignal.timeout(KEYRING_MS));
  const { fault } = ended;
  const signedOut = ended.deleted || ended.key !== null && fault !== null;
  const { revoked, sentences } = await revokeAll(ended, { parts, provider });
  const undone = [
    ...(fault === null ? [] : [LEFT, ...(flags.has("json") ? [fault.message] : [])]),
    ...sentences,
    ...(signedOut ? ["Access tokens that running programs hold expire by themselves."] : []),
  ];
  if (flags.has("json")) {
    printJson({ provider: provider.name, signedOut, revoked, undone });
    return fault === null ? EXIT.done : exitCodeOf(fault);
  }
  print(signedOut ? `Signed out at ${provider.issuer}.` : `Nobody is signed in at ${provider.issuer}.`);
  if (revoked) print("The identity provider has revoked the sign-in.");
  for (const sentence of undone) diagnose(sentence);
  if (signedOut) print(onSameFile(`To sign in again: ${loginCommand(provider.name)}`, flags));
  if (fault !== null) throw fault;
  return EXIT.done;
}

const LEFT = "The keyring has not deleted the sign-in. It is void all the same.";

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

interface Asking {
  readonly parts: EnterpriseParts;
  readonly provider: EnterpriseProvider;
}

/** Has each grant revoked that was found. One that the keyring does not give cannot be. */
async function revokeAll(
  { key, records, fault }: EndedSignIn,
  asking: Asking,
): Promise<{ readonly revoked: boolean; readonly sentences: readonly string[] }> {
  if (records.length === 0 && key !== null && fault !== null) return { revoked: false, sentences: [UNREAD] };
  const revocations: Revocation[] = [];
  for (const record of records) revocations.push(await revoke(record, asking));
  const sentences = new Set(revocations.flatMap(({ undone }) => undone === null ? [] : [undone]));
  return { revoked: revocations.some(({ revoked }) => revoked), sentences: [...sentences] };
}

const UNREAD = "The identity provider has not been asked to revoke the sign-in: its token could not be read.";

async function revoke({ refreshToken }: GrantRecord, { parts, provider }: Asking): Promise<Revocation> {
  if (refreshToken === null) {
    return { revoked: false, undone: "An ID token cannot be revoked: it expires by itself." };
  }
  const outcome = await revokeGrant(refreshToken, { parts, provider });
  if (outcome === "revoked") return { revoked: true, undone: null };
  return {
    revoked: false,
    undone: outcome === "not-offered"
      ? "The identity provider offers no revocation: there the sign-in lives on until it expires."
      : `The identity provider has not revoked the sign-in. ${outcome.message}`,
  };
}
