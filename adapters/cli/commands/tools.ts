/**
 * `codex-mcp tools`: the tools of one configured server that may be used, from the catalog while that is fresh.
 *
 * @module
 */

import type { Tool } from "@modelcontextprotocol/client";
import { withExplanation } from "../host/explain_failure.ts";
import { withHost } from "../host/open_host.ts";
import type { Command } from "../program/command.ts";
import { EXIT, UsageError } from "../program/exit_code.ts";
import type { Flags } from "../program/flags.ts";
import type { CliRuntime } from "../program/runtime.ts";
import { interruptible } from "../terminal/interruption.ts";
import { visible } from "../terminal/shown.ts";
import { diagnose, paint, print, printJson, withSpinner } from "../terminal/terminal.ts";
import { visibleText } from "../terminal/visible_text.ts";

const HELP = `codex-mcp tools [flags] SERVER [flags]

The tools of a configured server that may be used: names and descriptions.

  --schema       with the schemas of their arguments
  --refresh      ask the server, whatever is known of it
  --config FILE  this file instead of config.toml in CODEX_HOME: TOML, or the JSON of other hosts (mcpServers)
  --json         print one JSON document: { "server", "cached", "fetchedAt", "tools" }: whether the server itself was
                 asked now or before, when (epoch seconds), and each tool as it describes it

Exit codes: 2 no such server, 3 refused, 4 sign-in needed, 5 unavailable.
`;

/** The command. */
export const TOOLS: Command = {
  help: HELP,
  flags: { switches: ["schema", "refresh"], values: ["config"] },
  mixed: true,
  run: tools,
};

async function tools(runtime: CliRuntime, flags: Flags): Promise<number> {
  const [server, ...more] = flags.rest;
  if (server === undefined) throw new UsageError("Which server? Look with codex-mcp servers.");
  if (more.length > 0) throw new UsageError("tools takes one server.");
  const { tools: listed, source, fetchedAt } = await interruptible((signal) =>
    withHost(
      runtime,
      { flags },
      (host) =>
        withExplanation({ server, reports: () => host.servers() }, () =>
          withSpinner("Listing", () =>
            host.openThread().listTools(server, { refresh: flags.has("refresh"), signal }))),
    )
  );
  if (flags.has("json")) printJson({ server, cached: source !== "server", fetchedAt, tools: listed });
  else if (listed.length === 0) diagnose("codex-mcp: The server offers no tool that may be used.");
  else for (const tool of listed) tell(tool, flags);
  return EXIT.done;
}

function tell({ name, title, description, inputSchema }: Tool, flags: Flags): void {
  const more = title === undefined || title === name ? "" : `  ${paint(visible(title), "quiet")}`;
  print(`${visible(name)}${more}`);
  const lines = visibleText(description ?? "").trim().split("\n");
  for (const line of lines) if (line !== "") print(`    ${line}`);
  if (!flags.has("schema")) return;
  for (const line of visibleText(JSON.stringify(inputSchema, null, 2)).split("\n")) print(`    ${line}`);
}
