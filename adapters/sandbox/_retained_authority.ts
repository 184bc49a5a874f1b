/**
 * What is kept of the call that started something: its authority and the operator's modifiers of that time.
 *
 * This file decides where a later call differs. `core/sandbox/compare.ts` compares the
 * authorities, `session.ts` decides what follows.
 *
 * @module
 */

import type { CapturedAuthority } from "../../core/sandbox/authority.ts";
import { compareAuthority } from "../../core/sandbox/compare.ts";

/** Authority and modifiers, as they were. */
export class RetainedAuthority {
  readonly #authority: CapturedAuthority;
  readonly #modifiers: readonly string[];

  /** Keeps both; a later change of the list has no effect. */
  constructor(authority: CapturedAuthority, modifiers: readonly string[]) {
    this.#authority = authority;
    this.#modifiers = [...modifiers];
  }

  /** JSON Pointers of what differs, under `/state`, `/launcher` and `/modifiers`; empty when nothing does. */
  changes(authority: CapturedAuthority, modifiers: readonly string[]): readonly string[] {
    const kept = this.#modifiers;
    const same = kept.length === modifiers.length && kept.every((word, at) => word === modifiers[at]);
    return [...compareAuthority(this.#authority, authority).changes, ...(same ? [] : ["/modifiers"])];
  }
}
