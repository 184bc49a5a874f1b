/**
 * One server as `codex-mcp status` tells it, from what is known without asking anybody.
 *
 * Enterprise servers are `enterprise.ts`'s, the others `ordinary.ts`'s.
 *
 * @module
 */

import type { ConfigurationFaultCode } from "../../../core/configuration/layers/fault.ts";
import type { LayerName } from "../../../core/configuration/layers/layer.ts";
import type { ServerStatus } from "../../../core/enterprise/status/status.ts";
import type { AccountFacts } from "../enterprise/sign_in_facts.ts";

/** Where a server stands that has no enterprise-managed authorization. */
export type OrdinaryStatus =
  /** It can be connected to, as far as the configuration says. */
  | { readonly kind: "configured" }
  /** A fault of the configuration disables it. */
  | {
    readonly kind: "disabled";
    readonly code: ConfigurationFaultCode;
    readonly field: string;
    readonly layer: LayerName | null;
  }
  /** The variable that holds its bearer is not set. */
  | { readonly kind: "credential-missing"; readonly variable: string };

/** What is said about one server. */
export interface StatusRow {
  /** Its name. */
  readonly name: string;
  /** What kind it is; `null`: a fault keeps that from being known. */
  readonly kind: "stdio" | "http" | "enterprise" | null;
  /** Name of its execution environment. */
  readonly environment: string;
  /** How this host identifies itself. */
  readonly auth: "none" | "bearer" | "headers" | "oauth-unsupported" | "enterprise";
  /**
   * URL of an enterprise server; `null`: its configuration is refused, or it is another server, whose URL may be
   * secret.
   */
  readonly url: string | null;
  /** Name of its identity provider; `null`: none, or its configuration is refused. */
  readonly provider: string | null;
  /** Whether it is switched on. */
  readonly enabled: boolean;
  /** Its status. */
  readonly status: ServerStatus | OrdinaryStatus;
  /** Who is signed in; `null`: nobody, or it cannot be read. */
  readonly account: AccountFacts | null;
  /** Until when, epoch seconds; `null`: it is renewed, or nobody is signed in. */
  readonly until: number | null;
  /** What it means and what to do. */
  readonly message: string;
  /** The next command; `null`: the message names none. */
  readonly next: string | null;
  /** Exit code of the status. */
  readonly exitCode: number;
}

/** The command at the end of a sentence of guidance; `null` when there is none. */
export function nextCommand(message: string): string | null {
  return /codex-mcp [^:]+$/.exec(message)?.[0] ?? null;
}
