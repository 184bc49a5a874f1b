/**
 * The error that every assertion of this stand-in throws. `mod.ts` owns the assertions.
 *
 * @module
 */

/** An assertion that did not hold. */
export class AssertionError extends Error {
  /** Creates the error with its text and, optionally, a cause. */
  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = "AssertionError";
  }
}
