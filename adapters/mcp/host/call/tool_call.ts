/**
 * A tool call that is under way: a promise of its result, and what it was issued under.
 *
 * @module
 */

import type { CallToolResult } from "@modelcontextprotocol/client";
import type { CallAuthority } from "./authority.ts";

/** A tool call. Wait for it like for a promise; a failure that nobody waits for bothers nobody. */
export class ToolCall implements PromiseLike<CallToolResult> {
  /** What it was issued under. */
  readonly authority: CallAuthority;
  /** Its result. */
  readonly result: Promise<CallToolResult>;
  readonly #cancel: () => void;

  /** Takes what is under way. */
  constructor(
    authority: CallAuthority,
    options: { readonly result: Promise<CallToolResult>; readonly cancel: () => void },
  ) {
    this.authority = authority;
    this.result = options.result;
    this.#cancel = options.cancel;
    options.result.catch(() => {}); // whoever waits is told; a call that was given up must not end the process
  }

  /** Cancels it; it rejects with `CALL_CANCELLED`. Harmless when it is over. */
  cancel(): void {
    this.#cancel();
  }

  /** As of a promise. */
  then<Value = CallToolResult, Failure = never>(
    fulfilled?: ((result: CallToolResult) => Value | PromiseLike<Value>) | null,
    rejected?: ((error: unknown) => Failure | PromiseLike<Failure>) | null,
  ): Promise<Value | Failure> {
    return this.result.then(fulfilled, rejected);
  }
}
