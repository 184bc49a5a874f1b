/**
 * The page about trouble, `docs/troubleshooting.md`: every code of every union, with what it means, from the union
 * itself, what to do, from the advice beside this file, and its exit code, from the command line.
 *
 * @module
 */

import { CASE_IDS } from "../../../adapters/cli/check/examine.ts";
import { EXIT, exitCodeOf } from "../../../adapters/cli/program/exit_code.ts";
import { EnterpriseError, type EnterpriseErrorCode } from "../../../core/enterprise/error.ts";
import { guidance, statusExitCode } from "../../../core/enterprise/status/status_text.ts";
import {
  HostError,
  type HostErrorCode,
  JsonError,
  type JsonErrorCode,
  ProcessError,
  type ProcessErrorCode,
  SandboxError,
  type SandboxErrorCode,
  SessionError,
  type SessionErrorCode,
} from "../../../core/errors.ts";
import type { AdviceOn } from "./advice.ts";
import { DOCTOR_CHECKS } from "./doctor.ts";
import { ENTERPRISE_ADVICE } from "./enterprise.ts";
import { FAULT_ADVICE, WARNING_ADVICE } from "./faults.ts";
import { HOST_ADVICE } from "./host.ts";
import { readMeanings } from "./meanings.ts";
import { DISCOVERY_REASONS, EXCHANGE_REASONS, IDENTITY_REASONS, REDEMPTION_REASONS } from "./reasons.ts";
import { JSON_ADVICE, PROCESS_ADVICE, SANDBOX_ADVICE, SESSION_ADVICE } from "./sandbox.ts";
import { STATUS_EXAMPLES } from "./status.ts";

/** The sources that say what codes mean, by path. */
export const SOURCES = {
  errors: "core/errors.ts",
  enterprise: "core/enterprise/error.ts",
  faults: "core/configuration/layers/fault.ts",
  keyring: "adapters/keyring/keyring.ts",
} as const;

/** The page, not formatted. `read` gives the text of a source. */
export function renderTroubleshooting(read: (path: string) => string): string {
  const section = <Code extends string>(one: Section<Code>): string =>
    renderSection(one, read(SOURCES[one.source]));
  const table = (union: string, advice: Readonly<Record<string, string>>): string => {
    const meanings = readMeanings(read(SOURCES.faults), union);
    const rows = [...meanings].map(([code, meaning]) => [`\`${code}\``, meaning, advice[code] ?? ""]);
    return renderTable(["code", "what it is", "what to do"], rows);
  };
  return [
    INTRODUCTION,
    section<SandboxErrorCode>({
      title: "A call and its sandbox: `SandboxError`",
      text:
        "The bundled server, and every server that uses `refusalOf` or `withAuthority`, tells these as tool errors " +
        "whose text begins with the code. Nothing was run.",
      source: "errors",
      union: "SandboxErrorCode",
      advice: SANDBOX_ADVICE,
      exit: (code) => exitCodeOf(new SandboxError(code, "")),
    }),
    section<ProcessErrorCode>({
      title: "Starting a program: `ProcessError`",
      text: "",
      source: "errors",
      union: "ProcessErrorCode",
      advice: PROCESS_ADVICE,
      exit: (code) => exitCodeOf(new ProcessError(code, "")),
    }),
    section<SessionErrorCode>({
      title: "What outlives a call: `SessionError`",
      text:
        "Tool errors of `session_start`, `session_send`, `session_read` and `session_end`, and errors of " +
        "`AuthoritySession`.",
      source: "errors",
      union: "SessionErrorCode",
      advice: SESSION_ADVICE,
      exit: (code) => exitCodeOf(new SessionError(code, "")),
    }),
    section<HostErrorCode>({
      title: "A host and its servers: `HostError`",
      text: "",
      source: "errors",
      union: "HostErrorCode",
      advice: HOST_ADVICE,
      exit: (code) => exitCodeOf(new HostError(code, "")),
    }),
    section<EnterpriseErrorCode>({
      title: "Enterprise-managed authorization: `EnterpriseError`",
      text:
        "`leg` says which request was refused: `token-exchange` at the identity provider, `redemption` at the " +
        "server's authorization server. `reason` is finer than the code.",
      source: "enterprise",
      union: "EnterpriseErrorCode",
      advice: ENTERPRISE_ADVICE,
      exit: (code) => exitCodeOf(new EnterpriseError(code, "")),
    }),
    "### Reasons of refused metadata",
    reasons(DISCOVERY_REASONS),
    "### Reasons of a refused exchange",
    reasons(EXCHANGE_REASONS),
    "### Reasons of a refused redemption",
    reasons(REDEMPTION_REASONS),
    "### Reasons of a refused identity",
    reasons(IDENTITY_REASONS),
    "### Reasons of a keyring that cannot be used",
    reasons(Object.fromEntries(readMeanings(read(SOURCES.keyring), "KeyringReason"))),
    section<JsonErrorCode>({
      title: "Reading JSON: `JsonError`",
      text: "",
      source: "errors",
      union: "JsonErrorCode",
      advice: JSON_ADVICE,
      exit: (code) => exitCodeOf(new JsonError(code, "")),
    }),
    "## Faults of the configuration",
    FAULTS,
    table("ConfigurationFaultCode", FAULT_ADVICE),
    "## Warnings of the configuration",
    WARNINGS,
    table("ConfigurationWarningCode", WARNING_ADVICE),
    "## Where an enterprise server stands",
    STATUS,
    statusTable(),
    "## What the doctor looks at",
    DOCTOR,
    renderTable(
      ["check", "what it looks at"],
      Object.entries(DOCTOR_CHECKS).map(([id, text]) => [`\`${id}\``, text]),
    ),
    "## What `check` looks at",
    `${CASES} ${CASE_IDS.map((id) => `\`${id}\``).join(", ")}.`,
  ].join("\n\n") + "\n";
}

interface Section<Code extends string> {
  readonly title: string;
  readonly text: string;
  readonly source: keyof typeof SOURCES;
  readonly union: string;
  readonly advice: AdviceOn<Code>;
  readonly exit: (code: Code) => number;
}

function renderSection<Code extends string>(
  { title, text, union, advice, exit }: Section<Code>,
  source: string,
): string {
  const codes = [...readMeanings(source, union)].map(([code, meaning]) => {
    const { cause, look, fix } = advice[code as Code];
    return [
      `### \`${code}\``,
      meaning,
      [
        `- **Usually:** ${cause}`,
        `- **See it:** ${look}`,
        `- **Then:** ${fix}`,
        `- **Exit code:** ${exit(code as Code)}`,
      ]
        .join("\n"),
    ].join("\n\n");
  });
  return [`## ${title}`, ...(text === "" ? [] : [text]), ...codes].join("\n\n");
}

function reasons(of: Readonly<Record<string, string>>): string {
  return renderTable(
    ["reason", "what it is"],
    Object.entries(of).map(([reason, text]) => [`\`${reason}\``, text]),
  );
}

function statusTable(): string {
  const about = { server: "tracker", provider: "acme" };
  const rows = Object.values(STATUS_EXAMPLES).flat().map((status) => {
    const because = "because" in status ? `: ${status.because}` : "";
    return [`\`${status.kind}\`${because}`, guidance(status, about), String(statusExitCode(status))];
  });
  return renderTable(["status", "what is said, for a server `tracker` of the provider `acme`", "exit"], rows);
}

function renderTable(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]): string =>
    `| ${cells.map((cell) => cell.replaceAll("|", "\\|")).join(" | ")} |`;
  return [line(head), line(head.map(() => "---")), ...rows.map(line)].join("\n");
}

const INTRODUCTION = `# Troubleshooting

<!-- made by scripts/docs/troubleshooting: change the codes and their advice there, not here -->

Begin with \`codex-mcp doctor\`: it tries everything that a sandboxed call, a sign-in and the configured servers need, and
says what to do about what does not work. \`codex-mcp status\` says where each server stands without asking anybody, and
\`codex-mcp check -- SERVER CMD…\` whether somebody's server honours the contract of the sandbox metadata. In a clone,
\`deno task codex-mcp\` stands for \`codex-mcp\`.

Every error has a code, which never changes its meaning, and a message that says what was found and what to do. On the
command line it reads \`codex-mcp: CODE: message\`; with \`--json\` it is \`{ "error": { "code", "message" } }\`; in a program
it is \`error.code\` of the class named here. No message holds a policy, a token, a secret or an answer of a server.

| exit code | means |
| --- | --- |
| ${EXIT.done} | done |
| ${EXIT.failed} | the tool reported an error, or a check failed |
| ${EXIT.usage} | the command line is wrong, or names a server or tool that is not there |
| ${EXIT.refused} | refused: authority, sandbox, policy, configuration, administrator, client, scope |
| ${EXIT.signIn} | a sign-in is needed, or a stronger one |
| ${EXIT.unavailable} | unavailable for now: network, identity provider, keyring, configuration that cannot be loaded |
| ${EXIT.chain} | \`exec\` alone: refused, or the chain itself failed |
| 130 | interrupted |

The exit codes below are those of the command that ends with the error. \`exec\` ends with ${EXIT.chain} in place of each.`;

const FAULTS =
  "The code in what `codex-mcp doctor` and `codex-mcp servers --json` say of a file, and the `reason` of " +
  "`CONFIGURATION_REFUSED`. A fault disables its own server; one in the managed configuration rejects that whole.";

const WARNINGS =
  "What is accepted and should be changed. `codex-mcp servers` and `codex-mcp doctor` tell them.";

const STATUS =
  "`codex-mcp status` computes it from what is stored, without a request. What comes first in this order " +
  "counts: configuration, the server's own fault, keyring, sign-in, what blocks the server, the thread, an outage.";

const DOCTOR =
  "Each check is `ok`, `failed` (with the fix) or `skipped`. With names of servers, the doctor looks at these " +
  "and what they depend on alone.";

const CASES = "[The table of cases](server.md#is-it-right) says when each case passes, and what to do " +
  "otherwise. In their order:";
