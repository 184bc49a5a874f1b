/**
 * How much work one check of a result may be. A server writes the schema and the value, so what a check takes is never
 * left to them: each step is paid for, and when nothing is left the check is given up, not failed.
 *
 * @module
 */

/**
 * Units that one check may take. One is about 100 ns: a check stops the rest of the process for a fifth of a second
 * or so.
 */
export const CHECK_UNITS = 1_500_000;

/** How deep schemas and values may be nested within each other. */
export const CHECK_DEPTH = 400;

/** Thrown where a check is given up: whether the value matches is not known. It never leaves `output_validator.ts`. */
export class CheckGivenUp extends Error {
  override readonly name = "CheckGivenUp";
}

/** What is left for one check. */
export class CheckBudget {
  #units: number;
  #depth = 0;

  /** Begins with all of it. */
  constructor(units: number = CHECK_UNITS) {
    this.#units = units;
  }

  /**
   * Takes `units`.
   *
   * @throws {CheckGivenUp} when so many are not left.
   */
  spend(units: number): void {
    this.#units -= units;
    if (!(this.#units >= 0)) throw new CheckGivenUp("it takes too long");
  }

  /**
   * Goes one level deeper.
   *
   * @throws {CheckGivenUp} when that is too deep.
   */
  enter(): void {
    this.#depth += 1;
    if (this.#depth > CHECK_DEPTH) throw new CheckGivenUp("it is nested too deeply");
  }

  /** Comes back from there. Not needed when the check is given up. */
  leave(): void {
    this.#depth -= 1;
  }
}
