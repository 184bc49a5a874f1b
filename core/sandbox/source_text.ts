/**
 * From one JSON-RPC message, as it came, to the source texts of the sandbox state in it. They are what a server
 * forwards: `JSON.parse` rounds numbers and picks one of two members with the same name.
 *
 * Whoever reads the transport decodes the bytes, and refuses what is no UTF-8. `capture.ts` holds the texts
 * against the values that the handler got, so that a text cut from another message is no authority.
 *
 * @module
 */

import { cutElements, cutJson } from "../json/scan.ts";
import { SANDBOX_LAUNCHER_KEY, SANDBOX_STATE_KEY, SANDBOX_STATE_META_KEY } from "./keys.ts";

/** The source texts that one `tools/call` request carries; at least one of the two is there. */
export interface CallSourceTexts {
  /** The request's id, as `JSON.parse` gives it. */
  readonly id: string | number;
  /** Source text of `codex/sandbox-state`; `undefined` when the call does not carry it. */
  readonly stateText: string | undefined;
  /** Source text of `codex/sandbox-state-meta`; `undefined` when the call does not carry it. */
  readonly aliasText: string | undefined;
}

const PATHS: readonly (readonly string[])[] = [
  ["method"],
  ["id"],
  ["params", "_meta", SANDBOX_STATE_KEY],
  ["params", "_meta", SANDBOX_STATE_META_KEY],
  ["params", "_meta", SANDBOX_LAUNCHER_KEY, "codexExecutable"], // not used; it only must not come twice
];

/**
 * The source texts of the states in a message: one entry for every `tools/call` request that carries one, in
 * their order; a batch may hold several. Empty for everything else: other methods, notifications, responses,
 * calls without a state, ids that are neither string nor number.
 *
 * A message that cannot carry a state is not looked at any further, whatever is wrong with it. Any other is read
 * as a whole and refused as a whole. The members `method`, `id`, `params`, `_meta`, the two states and the launcher
 * must not come twice, however their names are written; inside a state, and elsewhere, that is not asked here.
 *
 * @throws {JsonError} `JSON_MALFORMED` when a message that may carry a state is not JSON.
 * @throws {JsonError} `JSON_DUPLICATE_KEY` when a message that may carry a state has one of these members twice.
 *
 * @example
 * ```ts
 * import { sourceTextsOf } from "./source_text.ts";
 *
 * const line = '{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"exec","_meta":' +
 *   '{"codex/sandbox-state":{"limit":9007199254740993}}}}';
 * console.log(sourceTextsOf(line)[0]?.stateText); // {"limit":9007199254740993}
 * ```
 */
export function sourceTextsOf(message: string): readonly CallSourceTexts[] {
  if (!mayCarryState(message)) return [];
  return (cutElements(message) ?? [message]).flatMap((request) => {
    const [method, id, stateText, aliasText] = cutJson(request, PATHS);
    if (stateText === undefined && aliasText === undefined) return [];
    if (!isStringOrNumber(id) || !isCall(method)) return [];
    return [{ id: JSON.parse(id), stateText, aliasText }];
  });
}

/**
 * Both names hold the letters of `sandbox-state`. A name that means a letter without writing it needs the escape
 * `\u`: the other escapes stand for quotes, slashes and control characters.
 */
function mayCarryState(message: string): boolean {
  return message.includes("sandbox-state") || message.includes("\\u");
}

function isCall(method: string | undefined): boolean {
  return method !== undefined && method.startsWith('"') && JSON.parse(method) === "tools/call";
}

function isStringOrNumber(id: string | undefined): id is string {
  return id !== undefined && /^["\-\d]/.test(id);
}
