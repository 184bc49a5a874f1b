/**
 * The benchmark as a JSON document.
 *
 * @module
 */

import type { Row } from "./row.ts";

/** A row, and the part that it belongs to. */
export interface DocumentRow extends Row {
  readonly part: string;
}

/** What was measured, where and when. */
export interface BenchDocument {
  readonly runtime: {
    readonly deno: string;
    readonly v8: string;
    /** Operating system and processor. */
    readonly platform: string;
    /** How many processors this process may use. */
    readonly processors: number;
  };
  /** When it was over, ISO 8601. */
  readonly measuredAt: string;
  readonly quick: boolean;
  /** Names of the parts that were measured. */
  readonly parts: readonly string[];
  readonly rows: readonly DocumentRow[];
  /** How many rows have a target. */
  readonly targets: number;
  /** Names of the rows whose target is missed. */
  readonly missed: readonly string[];
}

/** The document of rows. */
export function documentOf(
  rows: readonly DocumentRow[],
  facts: Pick<BenchDocument, "quick" | "runtime" | "measuredAt">,
): BenchDocument {
  const { runtime, measuredAt, quick } = facts;
  return {
    runtime,
    measuredAt,
    quick,
    parts: [...new Set(rows.map(({ part }) => part))],
    rows,
    targets: rows.filter(({ met }) => met !== undefined).length,
    missed: rows.filter(({ met }) => met === false).map(({ name }) => name),
  };
}

/** The document as a file holds it. */
export function textOf(document: BenchDocument): string {
  return `${JSON.stringify(document, null, 2)}\n`;
}
