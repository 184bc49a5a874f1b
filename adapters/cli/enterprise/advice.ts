/**
 * What to do about trouble that passes: the keyring, the lock, the network, the identity provider. An error that ends
 * a command says its state; here the next step follows, with the command to run again.
 *
 * What a status leads to is said in `core/enterprise/status/status_text.ts`.
 *
 * @module
 */

import { EnterpriseError, type EnterpriseErrorCode } from "../../../core/enterprise/error.ts";
import type { KeyringReason } from "../../keyring/keyring.ts";
import type { Flags } from "../program/flags.ts";

/** What to do about a keyring, by what is wrong with it. */
const KEYRING_STEPS: Readonly<Record<KeyringReason, string>> = {
  platform: "Use a system with one, and there run",
  permission: "Start Deno with it, then run",
  module: "Install it, then run",
  "no-service": "Start it (see docs/enterprise/README.md, Machines without a desktop), then run",
  "no-collection": "Create one in the system's password manager, then run",
  silent: "Unlock it or start it anew, then run",
  locked: "Unlock it, then run",
  denied: "Allow the access, then run",
  ambiguous: "Delete them in the system's password manager, then run",
  mismatch: "Look at it with the system's password manager, then run",
};

const STEPS: Readonly<Partial<Record<EnterpriseErrorCode, string>>> = {
  KEYRING_ABSENT: "Provide a keyring, then run",
  KEYRING_LOCKED: "Unlock the keyring, then run",
  KEYRING_UNRELIABLE: "Look at it with the system's password manager, then run",
  LOCK_TIMEOUT: "Let the other program end, then run",
  TEMPORARILY_UNAVAILABLE: "Try again later",
};

/** A command of one identity provider, as it was written: `"codex-mcp login --idp acme"`. */
export function commandOf(name: "login" | "logout", flags: Pick<Flags, "value">): string {
  const provider = flags.value("idp");
  return `codex-mcp ${name}${provider === undefined ? "" : ` --idp ${provider}`}`;
}

/**
 * Runs a command, and adds the next step to an error about trouble that passes. Every other error, and one that names
 * a command itself, comes as it is.
 *
 * @param command What to run again: `"codex-mcp logout"`.
 */
export async function withAdvice<Value>(command: string, work: () => Promise<Value>): Promise<Value> {
  try {
    return await work();
  } catch (error) {
    throw advised(error, command);
  }
}

/**
 * The state that `error` tells and the one next step, with the command to run then; `null` when there is no such step,
 * or it names one itself.
 */
export function adviceOn(error: EnterpriseError, command: string): string | null {
  const { code, reason, message } = error;
  const step = code.startsWith("KEYRING_") && reason !== undefined && isKeyringReason(reason)
    ? KEYRING_STEPS[reason]
    : STEPS[code];
  if (step === undefined || message.includes("codex-mcp ")) return null;
  return `${message.replace(/\.$/, "")}. ${step}: ${command}`;
}

function isKeyringReason(reason: string): reason is KeyringReason {
  return Object.hasOwn(KEYRING_STEPS, reason);
}

function advised(error: unknown, command: string): unknown {
  if (!(error instanceof EnterpriseError)) return error;
  const message = adviceOn(error, command);
  if (message === null) return error;
  const { reason, section, leg, field } = error;
  return new EnterpriseError(error.code, message, {
    ...(error.cause === undefined ? {} : { cause: error.cause }),
    ...(reason === undefined ? {} : { reason }),
    ...(section === undefined ? {} : { section }),
    ...(leg === undefined ? {} : { leg }),
    ...(field === undefined ? {} : { field }),
  });
}
