/**
 * What a turn of a thread selects: the execution environment, the sandbox state that applies there, and the launcher.
 * It is copied when it is given, so that nothing that happens later to the caller's objects changes a call.
 *
 * What of it a server gets is decided in `core/sandbox/binding.ts`; whether the launcher may be one, in
 * `launcher_choice.ts`.
 *
 * @module
 */

import { JsonError, SandboxError } from "../../../../core/errors.ts";
import { isExactJson } from "../../../../core/json/equal.ts";
import { isExactText } from "../../../../core/json/exact_text.ts";
import type { JsonValue } from "../../../../core/json/value.ts";
import { tryWriteJson } from "../../../../core/json/write.ts";

/** What a turn selects. */
export interface TurnSandbox {
  /** Name of the execution environment; absent: `"local"`. */
  readonly environment?: string | undefined;
  /** The sandbox state of that environment as a value; absent, with no `stateText`: none is sent. */
  readonly state?: JsonValue | undefined;
  /** The state as JSON text, which goes out exactly as it is. It is used instead of `state`. */
  readonly stateText?: string | undefined;
  /** Path of a Codex CLI for servers that opt in; absent: none is sent. */
  readonly launcher?: string | undefined;
  /** Real paths that the state lets a command write to. A launcher under one of them is not sent. */
  readonly writableRoots?: readonly string[] | undefined;
  /** Real path of the workspace. A launcher in it is not sent. */
  readonly workspace?: string | undefined;
}

/** A turn as it was copied: immutable, nothing optional. */
export interface CapturedTurn {
  /** Name of the execution environment. */
  readonly environment: string;
  /** The state as JSON text; `null`: none. */
  readonly stateText: string | null;
  /** Path of the launcher as it was given; `null`: none. */
  readonly launcher: string | null;
  /** What the state lets a command write to. */
  readonly writableRoots: readonly string[];
  /** The workspace; `null`: none is known. */
  readonly workspace: string | null;
}

/**
 * Copies what a turn selects.
 *
 * @throws {SandboxError} `STATE_INEXACT` when the state is a value that JavaScript would not write as it is meant, or a
 * text that UTF-8 cannot write.
 * @throws {JsonError} `JSON_MALFORMED` when `stateText` is not JSON.
 */
export function captureTurn(turn: TurnSandbox): CapturedTurn {
  return Object.freeze({
    environment: turn.environment ?? "local",
    stateText: textOf(turn),
    launcher: turn.launcher ?? null,
    writableRoots: Object.freeze([...turn.writableRoots ?? []]),
    workspace: turn.workspace ?? null,
  });
}

function textOf({ state, stateText }: TurnSandbox): string | null {
  if (stateText !== undefined) {
    requireJson(stateText);
    if (stateText.isWellFormed()) return stateText;
    // UTF-8 has no half of a character: another text would go out
    throw new SandboxError("STATE_INEXACT", "Cannot use the sandbox state: its text holds half a character");
  }
  if (state === undefined) return null;
  const written = tryWriteJson(state); // ahead of the look: it finds a circle, and ends
  if (written !== null && isExactJson(state)) return written;
  throw new SandboxError(
    "STATE_INEXACT",
    "Cannot use the sandbox state: it holds a value that JavaScript cannot write as it is meant. " +
      "Give its source text.",
  );
}

function requireJson(text: string): void {
  try {
    isExactText(text);
  } catch (error) {
    // the text is a policy: nothing of it may stand in an error
    if (!(error instanceof JsonError)) throw error;
    throw new JsonError("JSON_MALFORMED", "Cannot use the sandbox state: its text is not JSON");
  }
}
