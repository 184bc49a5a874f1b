/**
 * Captured authority: what one `tools/call` allows, taken from its `_meta` and from nothing else, once.
 *
 * `capture.ts` makes it, `command.ts` spends it, `compare.ts` holds it against a later call's.
 *
 * @module
 */

import { parseComparable } from "../json/comparable.ts";
import { freezeJson } from "../json/freeze.ts";
import type { JsonValue } from "../json/value.ts";

/** How a call reached the server. Only the server's own stdio may bring a launcher. */
export type CallTransport = "stdio" | "http";

/** What {@linkcode CapturedAuthority} is made of. */
export interface AuthorityParts {
  /** The state as well-formed JSON text. */
  readonly stateText: string;
  /** The launcher value as JSON text; `undefined` when none came. */
  readonly launcherText: string | undefined;
  /** How the call arrived; `undefined` when unknown. */
  readonly transport: CallTransport | undefined;
}

/**
 * The authority of one call: opaque state, launcher, transport. Immutable, and made by `captureAuthority`
 * alone; printing or serialising it shows none of its contents.
 */
export class CapturedAuthority {
  readonly #parts: AuthorityParts;
  #state: JsonValue | undefined;
  #launcher: JsonValue | undefined;
  #comparable: JsonValue | undefined;

  /** Takes ownership of `parts`. */
  constructor(parts: AuthorityParts) {
    this.#parts = parts;
    Object.freeze(this);
  }

  /** The state as JSON text, exactly as it is handed to the launcher. */
  get stateText(): string {
    return this.#parts.stateText;
  }

  /** The state as a value, deeply frozen, parsed when first asked for. Opaque: look, and do not decide by it. */
  get state(): JsonValue {
    return this.#state ??= freezeJson(JSON.parse(this.#parts.stateText));
  }

  /** The launcher value as JSON text; `undefined` when none came. */
  get launcherText(): string | undefined {
    return this.#parts.launcherText;
  }

  /** The launcher value that came with the call, deeply frozen and unchecked; `undefined` when none came. */
  get launcher(): JsonValue | undefined {
    const { launcherText } = this.#parts;
    return launcherText === undefined ? undefined : this.#launcher ??= freezeJson(JSON.parse(launcherText));
  }

  /** How the call arrived; `undefined` when unknown. */
  get transport(): CallTransport | undefined {
    return this.#parts.transport;
  }

  /**
   * The state in the form that authorities are compared in: equal exactly where the texts are the same JSON
   * value, whatever the size of their numbers. Made when first asked for; not to be changed.
   *
   * @throws {JsonError} `JSON_DUPLICATE_KEY` when the text names a key twice in an object.
   */
  get comparableState(): JsonValue {
    return this.#comparable ??= freezeJson(parseComparable(this.#parts.stateText));
  }
}
