/**
 * The patterns of schemas, matched in linear time (RE2), whatever they are and whatever they are matched against.
 *
 * How they are read is decided in `translate_pattern.ts`.
 *
 * @module
 */

import { RE2JS } from "re2js";
import type { CheckBudget } from "./check_budget.ts";
import { translatePattern } from "./translate_pattern.ts";

/** A pattern that is ready. */
interface Compiled {
  readonly program: RE2JS;
  /** Units for each character. */
  readonly weight: number;
}

/** Patterns that are kept. */
const MAX_KEPT = 256;

/** Units for each instruction of a program that is made. */
const UNITS_TO_COMPILE = 300;

/** The patterns of the schemas of one client. */
export class LinearPatterns {
  readonly #compiled = new Map<string, Compiled | null>();

  /** Whether `pattern` matches somewhere in `text`; `null`: it is no pattern that is checked. */
  test(pattern: string, text: string, budget: CheckBudget): boolean | null {
    const compiled = this.#compile(pattern, budget);
    if (compiled === null) return null;
    budget.spend(1 + text.length * compiled.weight);
    return compiled.program.matcher(text).find();
  }

  #compile(pattern: string, budget: CheckBudget): Compiled | null {
    const known = this.#compiled.get(pattern);
    if (known !== undefined) return known;
    if (this.#compiled.size >= MAX_KEPT) this.#compiled.clear();
    const compiled = compile(pattern, budget);
    this.#compiled.set(pattern, compiled);
    return compiled;
  }
}

function compile(pattern: string, budget: CheckBudget): Compiled | null {
  budget.spend(1 + pattern.length);
  const translated = translatePattern(pattern);
  if (translated === null) return null;
  budget.spend(translated.size * UNITS_TO_COMPILE);
  try {
    const program = RE2JS.compile(translated.source);
    return { program, weight: Math.max(translated.size, program.programSize()) };
  } catch {
    return null; // RE2 does not know it
  }
}
