/**
 * What a gate returns. A gate looks at one tree of files and gives back a list of these; `scripts/ok.ts` prints
 * them.
 *
 * @module
 */

/** One thing that is wrong, and what to do about it. */
export interface Finding {
  /** File relative to the root, with a line when there is one: `core/errors.ts:12`. */
  readonly where: string;
  /** What is wrong. */
  readonly what: string;
  /** What makes it right. */
  readonly fix: string;
}
