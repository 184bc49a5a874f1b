/**
 * Merged servers for tests: one of given fields, and what was found while it was read.
 *
 * @module
 */

import { type MergedServer, mergeServer } from "../../../core/configuration/merged_server.ts";
import type { ConfigurationFault, ConfigurationWarning } from "../../../core/configuration/layers/fault.ts";
import { layer } from "../enterprise/config/layers.ts";

/** The server `s` of a user's layer with `fields`. */
export function serverWith(fields: Readonly<Record<string, unknown>>): MergedServer {
  return mergeServer([layer({ mcp_servers: { s: fields } })], {
    name: "s",
    findings: { faults: [], warnings: [] },
  });
}

/** Codes and paths below the server of what was found. */
export function foundIn({ findings }: MergedServer): string[] {
  return [...findings.faults, ...findings.warnings].map(brief);
}

/** Code and field of a finding, below the server where it is one's. */
export function brief({ code, field }: ConfigurationFault | ConfigurationWarning): string {
  return `${code} ${field.replace(/^mcp_servers\.s\.?/, "")}`.trim();
}
