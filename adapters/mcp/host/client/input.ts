/**
 * What a server may ask of the person behind the host, whichever way its protocol has for it: a form or an address
 * (elicitation), a model (sampling), the folders in question (roots).
 *
 * MCP 2025-11-25, client features; MCP 2026-07-28, multi-round-trip requests. Who asks is found out in
 * `host_client.ts`.
 *
 * @module
 */

import type {
  ClientCapabilities,
  CreateMessageRequest,
  CreateMessageResult,
  ElicitRequest,
  ElicitResult,
  ListRootsResult,
} from "@modelcontextprotocol/client";

/** Who asks. */
export interface InputContext {
  /** Name of the server. */
  readonly server: string;
  /** Id of the thread whose call it is; `null`: the server did not say, and several calls are under way. */
  readonly thread: string | null;
  /** Name of the tool; `null`: as with `thread`. */
  readonly tool: string | null;
  /** Aborted when nobody waits for the answer any more. */
  readonly signal: AbortSignal;
}

/** What the embedding program answers with. What is absent is not offered to servers. */
export interface InputHandlers {
  /** Asks the person. */
  readonly elicit?: (params: ElicitRequest["params"], context: InputContext) => Promise<ElicitResult>;
  /** Asks a model. */
  readonly sample?: (
    params: CreateMessageRequest["params"],
    context: InputContext,
  ) => Promise<CreateMessageResult>;
  /** Names the folders. */
  readonly roots?: (context: InputContext) => Promise<ListRootsResult>;
}

/** The capabilities that go with these handlers, under what the program declares itself. */
export function inputCapabilities(
  handlers: InputHandlers,
  declared: ClientCapabilities = {},
): ClientCapabilities {
  return {
    ...(handlers.elicit === undefined ? {} : { elicitation: { form: {}, url: {} } }),
    ...(handlers.sample === undefined ? {} : { sampling: {} }),
    ...(handlers.roots === undefined ? {} : { roots: {} }),
    ...declared,
  };
}
