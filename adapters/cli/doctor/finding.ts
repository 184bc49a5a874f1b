/**
 * What a check of the doctor says.
 *
 * @module
 */

/** Outcome of one check. */
export interface Finding {
  /** Stable name of the check. */
  readonly id: string;
  /** Name of the server or the identity provider that it is about; absent: it is about this machine. */
  readonly subject?: string;
  /** Whether what it looks for holds; `"skipped"` when it could not be looked at. */
  readonly status: "ok" | "failed" | "skipped";
  /** Code of what is wrong, where it has one: of an error, of a fault of the configuration. */
  readonly code?: string;
  /** What was found, one sentence. */
  readonly found: string;
  /** What to do about it; absent when there is nothing to do. */
  readonly fix?: string;
}

/** A check and what it works on. */
export type Check<Subject> = (subject: Subject) => Promise<Finding>;
