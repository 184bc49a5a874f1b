/**
 * Whether a result is that of the call that it came to.
 *
 * @module
 */

import type { CallToolResult } from "@modelcontextprotocol/client";
import { member } from "../../tests/fixtures/soak/arrival.ts";
import { describe, type Issued, type Register } from "./register.ts";

/** Looks at a result. */
export function checkResult(register: Register, issued: Issued, result: CallToolResult): void {
  const what = describe(issued);
  const [first] = result.content;
  const text = first?.type === "text" ? first.text : "";
  const same = (name: string, found: unknown, expected: unknown): void =>
    register.require(found === expected, () => `${what} got the ${name} ${found} in place of ${expected}`);
  if (issued.server.kind === "enterprise") {
    if (issued.tool === "echo") same("text", text, String(issued.ticket));
    else same("account", parse(text, "account"), issued.account);
    return;
  }
  if (result.isError === true) return register.violate(`${what} failed: ${text.slice(0, 200)}`);
  same("ticket", parse(text, "ticket"), issued.ticket);
  same("thread", parse(text, "thread"), issued.thread);
  same("server", parse(text, "server"), issued.server.name);
  const revision = String(parse(text, "revision"));
  register.require(issued.revisions.has(revision), () => `${what} was answered by configuration ${revision}`);
  if (issued.tool !== "ask") return;
  const answer = member(member(member(parse(text, "answer"), "word"), "content"), "word");
  same("answer", answer, `w${issued.ticket}`);
}

function parse(text: string, name: string): unknown {
  try {
    return member(JSON.parse(text), name);
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}
