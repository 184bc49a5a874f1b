/**
 * What exactness costs a server: a call whose state goes through as it was written, against one whose state is
 * parsed and written back. Both begin with the message and end with the argument vector.
 *
 * @module
 */

import { authorityOf } from "../../adapters/mcp/server/authority_of.ts";
import { ExactInput } from "../../adapters/mcp/server/exact_input.ts";
import { buildCallMeta } from "../../core/sandbox/call_meta.ts";
import { captureAuthority } from "../../core/sandbox/capture.ts";
import { planSandboxedCommand } from "../../core/sandbox/command.ts";
import { sourceTextsOf } from "../../core/sandbox/source_text.ts";
import { enlarge, smallState } from "./core.ts";
import type { Row } from "./row.ts";
import { timeTogether } from "./timing.ts";

const COMMAND = ["make", "test"];

/** Rows for a state as Codex sends it and for one of a thousand entries. */
export function measureExact(): Promise<readonly Row[]> {
  return Promise.resolve([...rowsOf("1 KB", smallState()), ...rowsOf("110 KB", enlarge(smallState()))]);
}

function rowsOf(size: string, state: ReturnType<typeof smallState>): readonly Row[] {
  const meta = buildCallMeta({
    capabilities: { experimental: { "codex/sandbox-state": {} } },
    state,
    launcher: "/opt/codex/bin/codex",
  });
  const line = JSON.stringify({
    jsonrpc: "2.0",
    id: 1,
    method: "tools/call",
    params: { name: "exec", arguments: { command: COMMAND }, _meta: meta },
  });
  const bytes = new TextEncoder().encode(`${line}\n`);
  const input = new ExactInput();
  const time = timeTogether({
    parsed: () => planSandboxedCommand(captureAuthority(parse(line), { transport: "stdio" }), COMMAND),
    exact: () => {
      const [texts] = sourceTextsOf(line);
      const authority = captureAuthority(parse(line), { transport: "stdio", ...texts });
      return planSandboxedCommand(authority, COMMAND);
    },
    parsedBytes: () => {
      const request: unknown = JSON.parse(new TextDecoder().decode(bytes));
      return planSandboxedCommand(authorityOf(request, { transport: "stdio" }), COMMAND);
    },
    exactBytes: () => {
      const [message] = input.push(bytes).messages;
      const request: unknown = JSON.parse(new TextDecoder().decode(message));
      const authority = authorityOf(request, { transport: "stdio", sourceTexts: input.sourceTexts });
      return planSandboxedCommand(authority, COMMAND);
    },
  });
  const row = (name: string, value: number, peerValue: number): Row => ({
    name: `${name}, ${size} state`,
    value,
    unit: "µs",
    peer: "parsed",
    peerValue,
  });
  return [
    { ...row("exact call, from text", time.exact, time.parsed), ...target(size, time.exact / time.parsed) },
    row("exact call, from bytes", time.exactBytes, time.parsedBytes),
  ];
}

function target(size: string, ratio: number): Pick<Row, "target" | "met"> {
  return size === "110 KB" ? { target: "at most 1.5x", met: ratio <= 1.5 } : {};
}

function parse(line: string): unknown {
  return JSON.parse(line).params._meta;
}
