/**
 * The faulty servers, and what has to be found in each: the cases that fail, with words of what they say.
 *
 * @module
 */

import { fileURLToPath } from "node:url";
import { Bench, type BenchOptions } from "../../../../adapters/cli/check/bench.ts";
import { examine } from "../../../../adapters/cli/check/examine.ts";
import type { CheckPlan } from "../../../../adapters/cli/check/plan.ts";
import type { CheckCase, Verdict } from "../../../../adapters/cli/check/verdict.ts";
import type { Finding } from "../../../../adapters/cli/doctor/finding.ts";
import { createRuntime } from "../../../../adapters/cli/main.ts";

/** Limit of one test. */
export const LIMIT = { timeout: 120_000 };

/** By server: the cases that fail, and what they say. */
export const FAULTS: Readonly<Record<string, Readonly<Record<string, RegExp>>>> = {
  correct: {},
  session_kept: {},
  never_advertised: { advertises: /is not advertised/ },
  misplaced_capability: { advertises: /stands in the server's name and version/ },
  deprecated_advertised: { advertises: /only the deprecated name codex\/sandbox-state-meta/ },
  runs_nothing: { launches: /no launcher was started, and the answer is "exit 0"/ },
  deprecated_read: {
    "either-name": /under codex\/sandbox-state alone, the call was refused: "REFUSED: no state"/,
    "current-name-first": /that of the deprecated codex\/sandbox-state-meta arrived/,
    "refuses-conflict": /it ran the command through the launcher/,
  },
  path_lookup: {
    "no-path-search": /first on PATH, although the call named another/,
    "refuses-without-launcher": /that does not exist, it ran the command through the codex .* on PATH/,
  },
  path_fallback: {
    "no-path-search": /without a launcher, it started the codex that lies first on PATH/,
    "refuses-without-launcher": /without a launcher, it ran the command through the codex .* on PATH/,
    "ignores-forged-arguments": /none in _meta, it ran the command through the codex .* on PATH/,
  },
  env_fallback: {
    "no-path-search": /without a launcher, it started the codex in CODEX_HOME/,
    "refuses-without-launcher": /without a launcher, it ran the command through the codex in CODEX_HOME/,
    "ignores-forged-arguments": /none in _meta, it ran the command through the codex in CODEX_HOME/,
  },
  alias_first: { "current-name-first": /that of the deprecated codex\/sandbox-state-meta arrived/ },
  setup_fallback: {
    "launcher-fails": /when the launcher exits with 127, it ran the command WITHOUT a sandbox/,
  },
  landlock_retry: {
    "launcher-fails": /when the launcher .*, it started codex again, with ANOTHER state/,
  },
  failure_hidden: {
    "launcher-fails": /exits with 127, it answered as it does when the command ran, .* error: "exit 0"/,
  },
  patch_null: {
    "state-unedited": /without a Linux sandbox executable arrives EDITED at \/codexLinuxSandboxExe/,
  },
  state_split: { "fixed-vector": /the argument after --sandbox-state-json is not the state/ },
  shell_string: {
    "fixed-vector": /the argument after --sandbox-state-json is not the state/,
    "refuses-without-launcher": /as if the command had run, and without an error: "exit 127"/,
  },
  shell_double_quotes: {
    "fixed-vector": /a shell has read it/,
    "refuses-without-launcher": /as if the command had run, and without an error: "exit 127"/,
  },
  other_flags: { "fixed-vector": /"-C" stands between the state and "--"/ },
  first_policy_cached: { "second-call": /ran under the state of the FIRST call/ },
  first_launcher_cached: { "second-call": /through the launcher of an EARLIER call/ },
  authority_from_arguments: {
    "ignores-forged-arguments": /the launcher of its arguments under the state of its arguments/,
  },
  arguments_fill_in: {
    "ignores-forged-arguments": /the launcher of its arguments under the state of its arguments/,
  },
  arguments_win: {
    "ignores-forged-arguments": /it took the authority of the arguments instead of that of _meta/,
  },
  unsandboxed_fallback: {
    "refuses-without-launcher": /without a launcher, it ran the command WITHOUT a sandbox/,
    "ignores-forged-arguments": /it ran the command WITHOUT a sandbox/,
  },
  unusable_fallback: {
    "refuses-without-launcher": /with a launcher that does not exist, it ran the command WITHOUT a sandbox/,
  },
  secret_fallback: {
    "refuses-without-state": /without any metadata, it ran the command WITHOUT a sandbox/,
    "ignores-forged-arguments": /it ran the command WITHOUT a sandbox/,
  },
  last_state_reused: { "refuses-without-state": /after a call that had it, it ran the command/ },
  conflict_ignored: {
    "refuses-conflict": /different values under .*, it ran the command through the launcher/,
  },
  conflict_parsed: { "refuses-conflict": /that differ in an integer beyond 2\^53 alone, it ran the command/ },
  relative_launcher: {
    "refuses-relative-launcher": /with the relative launcher "codex", it ran the command/,
    "refuses-batch-launcher": /with the launcher "codex.cmd", it ran the command through the batch launcher/,
  },
  edited_directory: { "state-unedited": /EDITED at \/sandboxCwd/ },
  strict_decode_refuses: { "unknown-fields": /the call was refused: "REFUSED: unknown field/ },
  strict_decode_drops: { "unknown-fields": /DROPPED/ },
  stringify: {
    "exact-numbers": /^value CHANGED: a 64-bit integer became 9223372036854776000, .*1e400 became null/,
  },
  inexact_refused: { "exact-numbers": /nothing was rounded: refused are a 64-bit integer, .*STATE_INEXACT/ },
  respaced: { "exact-text": /^value preserved, but text changed/ },
  era_forgotten: { "both-eras": /over MCP 2026-07-28, the capability is not advertised/ },
  late_start: {
    "no-path-search": /started after the call had been answered/,
    "refuses-without-launcher": /started after the call had been answered/,
    "ignores-forged-arguments": /started after the call had been answered/,
  },
  never_answers: {
    "no-path-search": /no answer to tools\/call within 2 s/,
    "refuses-without-launcher": /no answer to tools\/call within 2 s/,
    "refuses-without-state": /no answer to tools\/call within 2 s/,
    "ignores-forged-arguments": /no answer to tools\/call within 2 s/,
  },
  session_reused: { "long-lived": /was used without any authority/ },
};

/** Path of a server. */
export function pathOf(name: string): string {
  return fileURLToPath(new URL(`../../../fixtures/faulty_servers/${name}.ts`, import.meta.url));
}

/** The command line that starts a server. */
export function commandOf(name: string): readonly string[] {
  return [Deno.execPath(), "run", "--quiet", "--allow-all", "--no-config", "--no-lock", pathOf(name)];
}

/** A plan for a server. */
export function planFor(name: string, options: Partial<CheckPlan> = {}): CheckPlan {
  const [executable = "", ...args] = commandOf(name);
  return {
    runtime: createRuntime([]),
    server: { executable, args },
    call: { tool: "exec", argumentsText: undefined },
    timeoutMs: name === "never_answers" ? 2_000 : 20_000,
    ...(name.startsWith("session_") ? { session: SESSION } : {}),
    ...options,
  };
}

const SESSION = {
  start: { tool: "session_start", argumentsText: undefined },
  use: { tool: "session_use", argumentsText: '{"session":"{session}"}' },
};

/** All findings about a server. */
export async function findingsOf(plan: CheckPlan): Promise<readonly Finding[]> {
  const findings: Finding[] = [];
  await examine(plan, (finding) => findings.push(finding));
  return findings;
}

/** Runs `body` on a bench, which is closed after it. */
export async function withBench<Value>(
  name: string,
  body: (bench: Bench) => Promise<Value>,
  options: Partial<BenchOptions> & { readonly plan?: Partial<CheckPlan> } = {},
): Promise<Value> {
  const { plan, ...rest } = options;
  const bench = await Bench.open(planFor(name, plan), { era: "2025-11-25", command: ["true"], ...rest });
  try {
    return await body(bench);
  } finally {
    await bench.close();
  }
}

/** What one case finds in a server. */
export async function verdictOn(name: string, cases: readonly CheckCase[], id: string): Promise<Verdict> {
  const found = cases.find((one) => one.id === id);
  if (found === undefined) throw new Error(`there is no case ${id}`);
  return await withBench(name, found.run);
}
