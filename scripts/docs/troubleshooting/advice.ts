/**
 * What the page about trouble says of a code, beyond what the code means: that stands at the code itself, in its union,
 * and is read from there (`meanings.ts`).
 *
 * The advice is a record over the union, so that a code without advice, and advice without a code, does not compile.
 *
 * @module
 */

/** Advice on one code. Whole sentences, in Markdown. */
export interface Advice {
  /** What usually causes it. */
  readonly cause: string;
  /** How to see what it is, with the command. */
  readonly look: string;
  /** What to do. */
  readonly fix: string;
}

/** Advice on every code of a union. */
export type AdviceOn<Code extends string> = { readonly [One in Code]: Advice };
