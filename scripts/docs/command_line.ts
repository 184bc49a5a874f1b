/**
 * The page about the command line: what `--help` prints for each command, so that it cannot say anything else.
 *
 * @module
 */

import { COMMANDS } from "../../adapters/cli/command_line.ts";
import { EXIT } from "../../adapters/cli/program/exit_code.ts";

/** What an exit code says, in the order of the table. */
const EXITS: Readonly<Record<keyof typeof EXIT, string>> = {
  done: "it was done",
  failed: "the tool reported an error, or a check failed",
  usage: "the command line itself is wrong",
  refused: "refused: authority, sandbox, policy, configuration, administrator, client, scope",
  signIn: "a sign-in is needed, or a stronger one",
  unavailable:
    "unavailable for now: network, identity provider, keyring, configuration that cannot be loaded",
  chain: "`exec` alone: refused, or the chain itself failed; any other status is the command's own",
};

/** The page. */
export async function renderCommandLine(): Promise<string> {
  const commands = await Promise.all(
    Object.entries(COMMANDS).map(async ([name, load]) => `## ${name}\n\n${fenced((await load()).help)}\n`),
  );
  const exits = Object.entries(EXITS).map(([name, text]) =>
    `| ${EXIT[name as keyof typeof EXIT]} | ${text} |`
  );
  exits.push("| 130 | interrupted; 128 and the number of any other signal |");
  return `${HEAD}\n| exit code | says |\n| --- | --- |\n${exits.join("\n")}\n\n${commands.join("\n")}`;
}

function fenced(text: string): string {
  return ["```text", text.trimEnd(), "```"].join("\n");
}

const HEAD = `# The command line

<!-- made by scripts/docs/command_line.ts: change what a command's help says, not this page -->

\`codex-mcp\` is \`deno task codex-mcp\` in a clone, \`npx codex-mcp\` where the npm package is installed, and
\`npx @codex-mcp/runtime\` once it is on npm. With
\`--json\` every command prints one JSON document on standard output; diagnostics go to standard error. What an error
code means and what to do about it is in [troubleshooting.md](troubleshooting.md).
`;
