/**
 * What a check of the doctor says.
 *
 * @module
 */

/** Outcome of one check. */
export interface Finding {
  /** Stable name of the check. */
  readonly id: string;
  /** Whether what it looks for holds; `"skipped"` when it could not be looked at. */
  readonly status: "ok" | "failed" | "skipped";
  /** What was found, one sentence. */
  readonly found: string;
  /** What to do about it; absent when there is nothing to do. */
  readonly fix?: string;
}

/** A check and what it works on. */
export type Check<Subject> = (subject: Subject) => Promise<Finding>;
