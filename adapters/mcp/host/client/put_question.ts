/**
 * Puts a question that came with an answer to the handler that such a request would have.
 *
 * MCP 2026-07-28, multi-round-trip requests. Who answers is `registration.ts`'s.
 *
 * @module
 */

import type { ClientContext } from "@modelcontextprotocol/client";
import { HostError, quote } from "../../../../core/errors.ts";
import { isJsonObject } from "../../../../core/json/value.ts";
import type { GuardedCall } from "./guarded_call.ts";

/** Answers requests of one method. */
export type QuestionHandler = (message: QuestionMessage, context: ClientContext) => Promise<unknown>;

/** A question as a request of its own would be. */
export interface QuestionMessage {
  /** Version of JSON-RPC. */
  jsonrpc: "2.0";
  /** Its name among the questions of the answer. */
  id: string;
  /** What is asked. */
  method: string;
  /** The rest of it. */
  params?: Record<string, unknown>;
}

/** A question, and who answers. */
export interface Question {
  /** The question, as it came. */
  readonly request: unknown;
  /** The call whose answer asks it. */
  readonly call: GuardedCall;
  /** The handler of a method; `undefined`: there is none. */
  readonly handlerOf: (method: string) => QuestionHandler | undefined;
}

/**
 * The answer to a question.
 *
 * @throws {HostError} `INPUT_REQUIRED` when this host answers no such question.
 */
export async function putQuestion(name: string, { request, call, handlerOf }: Question): Promise<unknown> {
  const { server, signal } = call.context;
  const method = isJsonObject(request) ? request["method"] : undefined;
  const handler = typeof method === "string" && ASKED.includes(method) ? handlerOf(method) : undefined;
  if (typeof method !== "string" || handler === undefined) {
    const state = `it asks for ${quote(String(method))}, and this host answers no such question`;
    throw new HostError("INPUT_REQUIRED", `Cannot go on with the call at ${quote(server)}: ${state}`, {
      server,
    });
  }
  const params = (request as { readonly params?: Record<string, unknown> }).params;
  const message: QuestionMessage = {
    jsonrpc: "2.0",
    id: name,
    method,
    ...(isJsonObject(params) ? { params: { ...params } } : {}),
  };
  return await handler(message, contextOf(name, { method, signal }));
}

/** What may be asked within an answer. MCP 2026-07-28, multi-round-trip requests. */
const ASKED: readonly string[] = ["elicitation/create", "sampling/createMessage", "roots/list"];

/** What a handler is told of a question that is no request of its own. */
function contextOf(
  id: string,
  { method, signal }: { readonly method: string; readonly signal: AbortSignal },
): ClientContext {
  const unrelated = (): never => {
    throw new HostError(
      "PROTOCOL_ERROR",
      "Cannot send a message about a question: it is no request of its own",
    );
  };
  return {
    mcpReq: { id, method, signal, requestState: () => undefined, send: unrelated, notify: unrelated },
  };
}
