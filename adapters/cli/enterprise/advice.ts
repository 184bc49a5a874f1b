/**
 * What to do about trouble that passes: the keyring, the lock, the network, the identity provider. An error that ends
 * a command says its state; here the next step follows, with the command to run again.
 *
 * What a status leads to is said in `core/enterprise/status_text.ts`.
 *
 * @module
 */

import type { Flags } from "../flags.ts";
import { EnterpriseError, type EnterpriseErrorCode } from "../../../core/enterprise/error.ts";

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

function advised(error: unknown, command: string): unknown {
  if (!(error instanceof EnterpriseError)) return error;
  const step = STEPS[error.code];
  if (step === undefined || error.message.includes("codex-mcp ")) return error;
  const { reason, section, leg, field } = error;
  return new EnterpriseError(error.code, `${error.message.replace(/\.$/, "")}. ${step}: ${command}`, {
    ...(error.cause === undefined ? {} : { cause: error.cause }),
    ...(reason === undefined ? {} : { reason }),
    ...(section === undefined ? {} : { section }),
    ...(leg === undefined ? {} : { leg }),
    ...(field === undefined ? {} : { field }),
  });
}
