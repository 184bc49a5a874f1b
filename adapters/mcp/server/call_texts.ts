/**
 * The source texts of the calls that are under way, by request id: bound when a message comes, asked for by the
 * handler of the call, gone when there are too many.
 *
 * This file decides what an id stands for, and keeps the memory of a long connection flat. `exact_input.ts` cuts
 * the texts, `authority_of.ts` asks for them.
 *
 * @module
 */

import { SandboxError } from "../../../core/errors.ts";
import { equalJson } from "../../../core/json/equal.ts";
import type { CallSourceTexts } from "../../../core/sandbox/source_text.ts";
import type { SourceTexts } from "./authority_of.ts";

/** How much is kept. */
export interface CallTextsOptions {
  /** Most calls; absent: 4,096. */
  readonly maxCalls?: number | undefined;
  /** Most characters of all texts and ids; absent: 16 Mi. The newest call is kept whatever its size. */
  readonly maxChars?: number | undefined;
}

/** How many earlier calls are told apart from a new one with their id. */
const MAX_EARLIER = 8;

/** A call whose texts are not known: no value is written like this, so that a state is refused and never rewritten. */
const UNKNOWN: SourceTexts = Object.freeze({ stateText: "", aliasText: "" });

/** What one id stands for. */
interface Entry {
  /** The texts, or why there are none. */
  readonly texts: SourceTexts | SandboxError;
  /** Texts of earlier calls with this id whose handlers may still ask, the last ones. */
  readonly earlier: readonly SourceTexts[];
  readonly chars: number;
  /** Whether two calls that cannot be told apart have the id. */
  readonly ambiguous: boolean;
  /** Whether the handler asked. */
  asked: boolean;
}

/** Texts of calls by their ids, the least recently used ones first. */
export class CallTexts {
  readonly #maxCalls: number;
  readonly #maxChars: number;
  readonly #entries = new Map<string | number, Entry>();
  #chars = 0;

  /** Creates an empty table. */
  constructor({ maxCalls = 4_096, maxChars = 16_777_216 }: CallTextsOptions = {}) {
    this.#maxCalls = maxCalls;
    this.#maxChars = maxChars;
  }

  /** How many calls are kept, and how many characters. */
  get size(): { readonly calls: number; readonly chars: number } {
    return { calls: this.#entries.size, chars: this.#chars };
  }

  /**
   * Binds the texts of a call to its id. The texts are copied. An earlier call with that id loses its texts. Where
   * its handler has not asked yet, and could take the new texts for its own, both calls are refused.
   */
  bind({ id, stateText, aliasText }: CallSourceTexts): void {
    this.#put(id, detached({ stateText, aliasText }));
  }

  /** Binds a refusal to an id: whoever asks gets it thrown. */
  refuse(id: string | number, refusal: SandboxError): void {
    this.#put(id, refusal);
  }

  /** Binds a request without texts to an id. */
  clear(id: string | number): void {
    if (this.#entries.get(id)?.asked !== false) this.#drop(id);
    else this.#put(id, UNKNOWN);
  }

  /**
   * The texts of the call with this id. For an id that is not known, texts that fit no state.
   *
   * @throws {SandboxError} `STATE_CONFLICT` when the message named a member twice that must not be, or two calls
   * with this id cannot be told apart.
   * @throws {SandboxError} `STATE_INEXACT` when the message was not UTF-8.
   */
  of(id: string | number): SourceTexts {
    const entry = this.#entries.get(id);
    if (entry === undefined) return UNKNOWN;
    entry.asked = true;
    this.#entries.delete(id);
    this.#entries.set(id, entry);
    if (entry.texts instanceof SandboxError) throw entry.texts;
    return entry.texts;
  }

  #put(id: string | number, texts: SourceTexts | SandboxError): void {
    const before = this.#entries.get(id);
    const waiting = before?.asked === false ? before : undefined;
    const earlier = waiting === undefined ? [] : textsOf(waiting).slice(-MAX_EARLIER);
    const ambiguous = waiting?.ambiguous === true ||
      isKnown(texts) && earlier.some((one) => confusable(one, texts));
    const entry = ambiguous ? { texts: twice(), earlier: [], ambiguous } : { texts, earlier, ambiguous };
    const chars = textsOf(entry).reduce((sum, one) => sum + lengthOf(one), String(id).length);
    this.#drop(id);
    this.#entries.set(id, { ...entry, chars, asked: false });
    this.#chars += chars;
    for (const oldest of this.#entries.keys()) {
      const fits = this.#entries.size <= this.#maxCalls && this.#chars <= this.#maxChars;
      if (fits || oldest === id) break;
      this.#drop(oldest);
    }
  }

  #drop(id: string | number): void {
    this.#chars -= this.#entries.get(id)?.chars ?? 0;
    this.#entries.delete(id);
  }
}

function isKnown(texts: SourceTexts | SandboxError): texts is SourceTexts {
  return !(texts instanceof SandboxError) && texts !== UNKNOWN;
}

/** The texts without the message around them, which a string that was cut out of it keeps alive. */
function detached({ stateText, aliasText }: SourceTexts): SourceTexts {
  const state = copied(stateText);
  return { stateText: state, aliasText: aliasText === stateText ? state : copied(aliasText) };
}

/** A string that is put together is a new one. */
function copied(text: string | undefined): string | undefined {
  return text === undefined ? undefined : ` ${text}`.slice(1);
}

function lengthOf({ stateText = "", aliasText = "" }: SourceTexts): number {
  return stateText.length + (aliasText === stateText ? 0 : aliasText.length);
}

/** Every text that an id stands or stood for, the last one last. */
function textsOf({ texts, earlier }: Pick<Entry, "texts" | "earlier">): readonly SourceTexts[] {
  return isKnown(texts) ? [...earlier, texts] : earlier;
}

/** Whether the values of an earlier call would pass for those of a later one, though the texts differ. */
function confusable(earlier: SourceTexts, later: SourceTexts): boolean {
  if (earlier.stateText === later.stateText && earlier.aliasText === later.aliasText) return false;
  return passes(earlier.stateText, later.stateText) && passes(earlier.aliasText, later.aliasText);
}

/** Without a text there is nothing that a value could contradict. */
function passes(earlier: string | undefined, later: string | undefined): boolean {
  if (later === undefined || earlier === later) return true;
  return earlier !== undefined && equalJson(JSON.parse(earlier), JSON.parse(later));
}

function twice(): SandboxError {
  return new SandboxError(
    "STATE_CONFLICT",
    "Cannot tell the sandbox state of this call: two calls under way have its id; nothing was run. " +
      "The host must give each request an id of its own.",
  );
}
