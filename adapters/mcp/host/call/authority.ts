/**
 * What one tool call was issued under: the turn's sandbox, the account and, once it was sent, the connection and the
 * sign-in that carried it. Everything can be read; printed or serialised it shows names, sizes and digests alone.
 *
 * Whether it still holds when the call has to be sent again is decided in `guard.ts`.
 *
 * @module
 */

import { createHash } from "node:crypto";
import type { Account } from "../enterprise/account.ts";
import type { CapturedTurn } from "../sandbox/turn_sandbox.ts";

/** What is fixed when a call is issued. */
export interface IssuedAuthority {
  /** Id of the thread. */
  readonly thread: string;
  /** Name of the server. */
  readonly server: string;
  /** Name of the tool. */
  readonly tool: string;
  /** What the turn selects; `null`: the call belongs to none. */
  readonly turn: CapturedTurn | null;
  /** The thread's account; `null`: none. */
  readonly account: Account | null;
  /** Generation of the sign-in that the thread uses at an enterprise server; `null`: none, or not known yet. */
  readonly generation: string | null;
}

/** What is fixed when a call is sent. */
export interface SentAuthority {
  /** Number of the connection's life. */
  readonly connection: number;
  /** How the server is reached. */
  readonly transport: "stdio" | "http";
  /** The revision of the protocol. */
  readonly protocol: string;
  /** Generation of the sign-in; `null` for an ordinary server. */
  readonly generation: string | null;
  /** The state that was sent, as JSON text; `null`: none. */
  readonly stateText: string | null;
  /** Why no state was sent; `null`: one was. */
  readonly noState: string | null;
  /** Real path of the launcher that was sent; `null`: none. */
  readonly launcher: string | null;
  /** Why no launcher was sent; `null`: one was. */
  readonly noLauncher: string | null;
}

/** The authority of one call. */
export class CallAuthority {
  readonly #issued: IssuedAuthority;
  #sent: SentAuthority | null = null;

  /** Takes what is fixed at issue. */
  constructor(issued: IssuedAuthority) {
    this.#issued = Object.freeze(issued);
    Object.freeze(this);
  }

  /** What was fixed when the call was issued. */
  get issued(): IssuedAuthority {
    return this.#issued;
  }

  /** What was fixed when the call was sent; `null`: it was not sent yet. */
  get sent(): SentAuthority | null {
    return this.#sent;
  }

  /** Takes what is fixed when `authority` is sent. The first word stands. */
  static markSent(authority: CallAuthority, sent: SentAuthority): void {
    authority.#sent ??= Object.freeze(sent);
  }

  /** What may be printed: neither a policy nor a token nor a name of a person. */
  toJSON(): Readonly<Record<string, unknown>> {
    const { thread, server, tool, turn, account, generation } = this.#issued;
    const sent = this.#sent;
    return {
      thread,
      server,
      tool,
      environment: turn?.environment ?? null,
      state: summaryOf(turn?.stateText ?? null),
      launcher: (turn?.launcher ?? null) !== null,
      account: account === null ? null : shortDigest(JSON.stringify([account.user, account.workspace])),
      generation: generation === null ? null : shortDigest(generation),
      sent: sent === null ? null : {
        connection: sent.connection,
        transport: sent.transport,
        protocol: sent.protocol,
        generation: sent.generation === null ? null : shortDigest(sent.generation),
        state: sent.noState ?? summaryOf(sent.stateText),
        launcher: sent.noLauncher ?? true,
      },
    };
  }

  static {
    // what `console.log` of Node and of Deno asks for; without it they show an empty object
    for (const name of ["nodejs.util.inspect.custom", "Deno.customInspect"]) {
      Object.defineProperty(CallAuthority.prototype, Symbol.for(name), {
        value(this: CallAuthority): string {
          return `CallAuthority ${JSON.stringify(this)}`;
        },
      });
    }
  }
}

function summaryOf(text: string | null): { readonly bytes: number; readonly sha256: string } | null {
  return text === null
    ? null
    : { bytes: new TextEncoder().encode(text).byteLength, sha256: shortDigest(text) };
}

/** Enough to tell two apart. */
function shortDigest(text: string): string {
  return createHash("sha256").update(text).digest("hex").slice(0, 16);
}
