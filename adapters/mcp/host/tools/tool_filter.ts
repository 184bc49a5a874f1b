/**
 * Which tools of a server may be used: those that its configuration names, else all, without those that it forbids.
 *
 * @module
 */

import type { ServerSettings } from "../../../../core/configuration/entry.ts";
import { HostError, quote } from "../../../../core/errors.ts";

/** What the configuration says about a server's tools. */
export type ToolRules = Pick<ServerSettings, "name" | "enabledTools" | "disabledTools">;

/** Whether `tool` may be used. */
export function mayUseTool({ enabledTools, disabledTools }: ToolRules, tool: string): boolean {
  return (enabledTools === null || enabledTools.includes(tool)) && !disabledTools.includes(tool);
}

/**
 * Refuses a tool that may not be used.
 *
 * @throws {HostError} `TOOL_DISABLED` when the configuration keeps it from being called.
 */
export function requireUsableTool(rules: ToolRules, tool: string): void {
  if (mayUseTool(rules, tool)) return;
  const state = rules.disabledTools.includes(tool)
    ? "disabled_tools names it"
    : "enabled_tools does not name it";
  throw new HostError("TOOL_DISABLED", `Cannot call ${quote(tool)} at ${quote(rules.name)}: ${state}`, {
    server: rules.name,
  });
}
