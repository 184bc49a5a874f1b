/**
 * The enterprise servers of `codex-mcp status`. What is known of a sign-in is found out in
 * `enterprise/sign_in_facts.ts`; which status that makes, its sentence and its exit code are decided in
 * `core/enterprise`.
 *
 * @module
 */

import type { EnterpriseEntry } from "../../../core/configuration/entry.ts";
import { renderFault } from "../../../core/configuration/fault_text.ts";
import type { DisabledServer } from "../../../core/enterprise/config/configuration.ts";
import { type ServerStatus, serverStatus } from "../../../core/enterprise/status/status.ts";
import { guidance, loginCommand, statusExitCode } from "../../../core/enterprise/status/status_text.ts";
import { adviceOn } from "../enterprise/advice.ts";
import type { EnterpriseParts } from "../enterprise/parts.ts";
import type { ProviderFacts } from "../enterprise/sign_in_facts.ts";
import { nextCommand, type StatusRow } from "./row.ts";

/** What is known beside the configuration. */
export interface EnterpriseKnowledge {
  /** Of the sign-ins, by the name of their identity provider. */
  readonly facts: ReadonlyMap<string, ProviderFacts>;
  /** The clock. */
  readonly clock: EnterpriseParts["clock"];
}

/** The row of a server that can be used. */
export function enterpriseRow(
  { name, enabled, environment, server: { url, provider } }: EnterpriseEntry,
  { facts: all, clock }: EnterpriseKnowledge,
): StatusRow {
  const facts = all.get(provider);
  const status = serverStatus({
    configuration: { kind: "valid" },
    fault: null,
    keyring: facts?.keyring ?? "open",
    marker: facts?.marker ?? "readable",
    signIn: facts?.signIn ?? null,
    gone: facts?.gone ?? "not-signed-in",
    block: null,
    revoked: null,
    unavailable: false,
    extension: null,
    now: clock.now(),
  });
  const message = keyringAdvice(status, { provider, trouble: facts?.trouble ?? null }) ??
    guidance(status, { server: name, provider });
  return {
    name,
    kind: "enterprise",
    environment,
    auth: "enterprise",
    url,
    provider,
    enabled,
    account: facts?.account ?? null,
    until: status.kind === "ready" ? status.until : null,
    ...saying(status, message),
  };
}

/** The row of a server that a fault disables. */
export function refusedEnterpriseRow(
  { name, faults: [fault] }: DisabledServer,
): StatusRow {
  const { code, field, layer } = fault;
  const status: ServerStatus = { kind: "disabled", code, field, layer };
  return {
    name,
    kind: "enterprise",
    environment: "local",
    auth: "enterprise",
    url: null,
    provider: null,
    enabled: true,
    account: null,
    until: null,
    ...saying(
      status,
      `${renderFault(fault).replace(/\.$/, "")} (${code}). Correct it and run: codex-mcp status`,
    ),
  };
}

/** What is wrong with the keyring itself says more than its status; `null`: it is not about the keyring. */
function keyringAdvice(
  { kind }: ServerStatus,
  { provider, trouble }: { readonly provider: string; readonly trouble: ProviderFacts["trouble"] },
): string | null {
  if (trouble === null || kind !== "keyring-absent" && kind !== "keyring-locked") return null;
  return adviceOn(trouble, kind === "keyring-absent" ? loginCommand(provider) : "codex-mcp status");
}

function saying(
  status: ServerStatus,
  message: string,
): Pick<StatusRow, "status" | "message" | "next" | "exitCode"> {
  return { status, message, next: nextCommand(message), exitCode: statusExitCode(status) };
}
