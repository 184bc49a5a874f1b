/**
 * Gives a client the handlers for what servers ask. A question is put to the embedding program with the call that it
 * belongs to, and takes no time of that call's.
 *
 * What can be asked is `input.ts`'s; which call it is, `host_client.ts`'s.
 *
 * @module
 */

import type { ClientContext } from "@modelcontextprotocol/client";
import { HostError, quote } from "../../../../core/errors.ts";
import type { HostClient } from "./host_client.ts";
import type { InputContext, InputHandlers } from "./input.ts";

/** Whose client it is. */
export interface InputOwner {
  /** What the embedding program answers with. */
  readonly handlers: InputHandlers;
  /** Name of the server. */
  readonly server: string;
  /** Id of the thread; `null`: several use the client. */
  readonly thread: string | null;
}

/** Registers the handlers that there are. The client has to declare the capabilities of `inputCapabilities`. */
export function registerInput(client: HostClient, owner: InputOwner): void {
  const { elicit, sample, roots } = owner.handlers;
  if (elicit !== undefined) {
    client.setRequestHandler(
      "elicitation/create",
      (request, context) => ask(client, { owner, context, work: (who) => elicit(request.params, who) }),
    );
  }
  if (sample !== undefined) {
    client.setRequestHandler(
      "sampling/createMessage",
      (request, context) => ask(client, { owner, context, work: (who) => sample(request.params, who) }),
    );
  }
  if (roots !== undefined) {
    client.setRequestHandler(
      "roots/list",
      (_request, context) => ask(client, { owner, context, work: (who) => roots(who) }),
    );
  }
}

async function ask<Answer>(
  client: HostClient,
  { owner, context, work }: {
    readonly owner: InputOwner;
    readonly context: ClientContext;
    readonly work: (who: InputContext) => Promise<Answer>;
  },
): Promise<Answer> {
  const { server, thread } = owner;
  const { signal } = context.mcpReq;
  const call = client.callAsking(signal);
  const who = { server, thread: call?.context.thread ?? thread, tool: call?.context.tool ?? null, signal };
  const asking = async (): Promise<Answer> => {
    try {
      return await work(who);
    } catch (error) {
      // the message may go to the server
      const message = `Cannot answer what ${quote(server)} asks: the host could not`;
      throw new HostError("INPUT_REQUIRED", message, { server, cause: error });
    }
  };
  return call === null ? await asking() : await call.whileAsking(asking);
}
