/**
 * What the picture says: the two ways that the authority of a tool call goes, step by step, and what each step refuses.
 * The codes are those of the unions; how it is drawn is decided in `draw.ts`.
 *
 * @module
 */

import type { EnterpriseErrorCode } from "../../../core/enterprise/error.ts";
import type { SandboxErrorCode } from "../../../core/errors.ts";

/** One step. */
export interface Step {
  /** What it is. */
  readonly title: string;
  /** What it does. */
  readonly text: string;
  /** Whether title and text stand on the wire as they are. */
  readonly wire?: true;
  /** Codes that it refuses with. */
  readonly refusals?: readonly (SandboxErrorCode | EnterpriseErrorCode)[];
  /** What happens instead of a refusal, a line each. */
  readonly notes?: readonly string[];
}

/** Steps that one party takes. */
export interface Zone {
  /** Who. */
  readonly name: string;
  /** The steps. */
  readonly steps: readonly Step[];
}

/** One way. */
export interface Way {
  /** Class of its title. */
  readonly look: "sandbox" | "account";
  /** Title. */
  readonly title: string;
  /** What it is for. */
  readonly text: string;
  /** Parties, in their order. */
  readonly zones: readonly Zone[];
}

/** The two ways. Both have as many steps. */
export const WAYS: readonly [Way, Way] = [
  {
    look: "sandbox",
    title: "What a command may do",
    text: "a local stdio server",
    zones: [
      {
        name: "HOST",
        steps: [
          {
            title: "Sandbox state",
            text: "the turn's policy, opaque and unedited",
            notes: ["not asked for, or other", "environment: not sent"],
          },
          {
            title: "Launcher",
            text: "a Codex CLI, real path, probed once",
            notes: ["over HTTP, or where a", "command writes: not sent"],
          },
        ],
      },
      {
        name: "WIRE",
        steps: [
          { wire: true, title: "_meta of tools/call", text: "codex/sandbox-state, sandbox-launcher" },
        ],
      },
      {
        name: "SERVER",
        steps: [
          {
            title: "Capture",
            text: "this call's _meta and nothing else",
            refusals: ["STATE_MISSING", "STATE_CONFLICT", "STATE_INEXACT"],
          },
          {
            title: "Compare",
            text: "with what a session was begun under",
            refusals: ["AUTHORITY_CHANGED"],
          },
          {
            title: "Plan",
            text: "one fixed argument vector, no shell",
            refusals: ["LAUNCHER_MISSING", "LAUNCHER_INVALID", "STATE_TOO_LARGE"],
          },
        ],
      },
      {
        name: "CODEX",
        steps: [
          {
            title: "codex sandbox … -- command",
            text: "runs in the sandbox of its own call",
            notes: ["no sandbox to be had:", "it fails, nothing runs"],
          },
        ],
      },
    ],
  },
  {
    look: "account",
    title: "Which server answers whom",
    text: "an enterprise server",
    zones: [
      {
        name: "HOST",
        steps: [
          {
            title: "Account",
            text: "the thread's user and workspace",
            refusals: ["SIGN_IN_REQUIRED"],
          },
          {
            title: "Grant",
            text: "that account's sign-in, in the keyring",
            refusals: ["KEYRING_LOCKED", "SUPERSEDED"],
          },
          {
            title: "ID-JAG",
            text: "token exchange at the identity provider",
            refusals: ["ADMINISTRATOR_REFUSED", "EXCHANGE_REFUSED"],
          },
          {
            title: "Lease",
            text: "redemption at the authorization server",
            refusals: ["ASSERTION_REFUSED", "SCOPE_REFUSED", "REDEMPTION_REFUSED"],
          },
          {
            title: "Still the same?",
            text: "sign-in, thread and registration",
            refusals: ["REAUTHORIZATION_REQUIRED"],
          },
        ],
      },
      {
        name: "WIRE",
        steps: [
          {
            wire: true,
            title: "Authorization: Bearer …",
            text: "to this server's URL alone",
            notes: ["a redirect is refused", "before it is followed"],
          },
        ],
      },
      {
        name: "SERVER",
        steps: [
          {
            title: "MCP server",
            text: "checks the bearer, runs the tool",
            notes: ["401: renewed once,", "then blocked"],
          },
        ],
      },
    ],
  },
];
