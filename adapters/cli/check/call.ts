/**
 * One call of a tool of the server under check: what it carries, what its answer says. `bench.ts` makes it.
 *
 * @module
 */

import { ownProperty } from "../../../core/json/value.ts";
import {
  SANDBOX_LAUNCHER_KEY,
  SANDBOX_STATE_KEY,
  SANDBOX_STATE_META_KEY,
} from "../../../core/sandbox/keys.ts";
import type { Reply } from "./connection.ts";
import type { Launch } from "./recorder.ts";

/** What a call carries: JSON texts. What is absent is not sent. */
export interface CallMeta {
  /** Under `codex/sandbox-state`. */
  readonly state?: string;
  /** Under `codex/sandbox-state-meta`. */
  readonly alias?: string;
  /** Path of the launcher. */
  readonly launcher?: string;
}

/** What a call came to. */
export interface CallOutcome {
  /** Starts of stand-ins. */
  readonly launches: readonly Launch[];
  /** Whether the file was made that `{marker}` in the arguments names. */
  readonly marked: boolean;
  /** Whether the answer is an error, of the protocol or of the tool. */
  readonly refused: boolean;
  /** The answer itself. */
  readonly reply: Reply;
  /** Its text, cut. */
  readonly said: string;
}

/** The keys of the contract as members of `_meta`. */
export function metaTexts({ state, alias, launcher }: CallMeta): readonly string[] {
  const members: readonly (readonly [string, string | undefined])[] = [
    [SANDBOX_STATE_KEY, state],
    [SANDBOX_STATE_META_KEY, alias],
    [
      SANDBOX_LAUNCHER_KEY,
      launcher === undefined ? undefined : JSON.stringify({ codexExecutable: launcher }),
    ],
  ];
  return members.flatMap(([key, text]) => text === undefined ? [] : [`${JSON.stringify(key)}:${text}`]);
}

/** Whether an answer is an error, of the protocol or of the tool. */
export function isRefusal({ result, error }: Reply): boolean {
  return error !== undefined || ownProperty(result, "isError") === true;
}

/** The text of an answer, quoted and cut. */
export function textOf({ result, error }: Reply): string {
  const content = ownProperty(result, "content");
  const parts = error === undefined
    ? (Array.isArray(content) ? content : []).map((part) => ownProperty(part, "text"))
    : [ownProperty(error, "message")];
  const text = parts.filter((part) => typeof part === "string").join(" ");
  return JSON.stringify(text.length > 160 ? `${text.slice(0, 160)}…` : text);
}
