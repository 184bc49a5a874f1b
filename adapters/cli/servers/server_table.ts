/**
 * The table of `codex-mcp servers`: one line a server, and below it what is wrong with it. Nothing that a file or a
 * server wrote reaches the terminal as it is.
 *
 * @module
 */

import { renderFault } from "../../../core/configuration/fault_text.ts";
import { shown, visible } from "../terminal/shown.ts";
import { paint, type Tone } from "../terminal/terminal.ts";
import type { ServerRow } from "./server_row.ts";

/** What is shown beside the columns. */
export interface TableOptions {
  /** Whether the end of what failing servers wrote to standard error is shown. */
  readonly stderr: boolean;
}

const TONES: Readonly<Partial<Record<ServerRow["state"], Tone>>> = {
  ready: "good",
  failed: "bad",
  waiting: "bad",
  idle: "quiet",
};

const HEAD = ["server", "state", "era", "auth", "environment", "sandbox", "tools"] as const;

/** The lines of the table, without line ends; none for no row. */
export function serverTable(rows: readonly ServerRow[], options: TableOptions): readonly string[] {
  if (rows.length === 0) return [];
  const cells = [HEAD, ...rows.map(cellsOf)];
  const widths = HEAD.map((_, column) => Math.max(...cells.map((row) => [...row[column] ?? ""].length)));
  const line = (row: readonly string[], tone: Tone | null): string =>
    row.map((cell, column) => {
      const padding = " ".repeat((widths[column] ?? 0) - [...cell].length);
      return (column === 1 && tone !== null ? paint(cell, tone) : cell) + padding;
    }).join("  ").trimEnd();
  return [
    paint(line(HEAD, null), "quiet"),
    ...rows.flatMap((row) => [line(cellsOf(row), toneOf(row)), ...below(row, options)]),
  ];
}

function cellsOf(
  { name, state, enabled, era, protocol, auth, environment, sandbox, tools }: ServerRow,
): readonly string[] {
  return [
    shown(name),
    enabled ? state : "off",
    era === null ? "-" : `${era} ${shown(protocol ?? "")}`,
    auth,
    shown(environment),
    sandbox === null ? "-" : sandbox.replaceAll("-", " "),
    tools === null ? "-" : String(tools),
  ];
}

function toneOf({ state, exitCode }: ServerRow): Tone | null {
  return exitCode === 0 ? TONES[state] ?? "quiet" : "bad";
}

function below({ reason, faults, auth, stderr }: ServerRow, options: TableOptions): readonly string[] {
  // of a file that is not trusted every field is a fault, and where it lies is the one to mend
  const more = faults.slice(1).filter(({ code }) => code !== "LAYER_NOT_TRUSTED" || code !== faults[0]?.code);
  const lines = reason === null ? [] : [reason.message, ...more.map(renderFault)].map(visible);
  if (auth === "oauth-unsupported") {
    lines.push("Its sign-in (OAuth) is not done by this host, which connects without.");
  }
  const written = stderr.trimEnd().split("\n").filter((line) => line !== "");
  if (options.stderr && reason !== null) lines.push(...written.map((line) => `| ${visible(line)}`));
  return lines.map((line) => `  ${line}`);
}
