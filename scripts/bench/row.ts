/**
 * Rows of the benchmark, and the table that they make.
 *
 * @module
 */

/** What a figure counts. */
export type Unit = "µs" | "ms" | "KB" | "legs" | "requests" | "exchanges" | "redemptions";

/** One figure beside its peer's, measured in the same run. */
export interface Row {
  /** What is measured. */
  readonly name: string;
  /** The figure, in `unit`. */
  readonly value: number;
  /** Unit of both figures. */
  readonly unit: Unit;
  /** What it is compared with. */
  readonly peer?: string;
  /** The peer's figure. */
  readonly peerValue?: number;
  /** What should hold, in words. */
  readonly target?: string;
  /** Whether it does; absent: there is no target. */
  readonly met?: boolean;
}

/** The target that `value` is `limit` at most, said in the row's unit unless `text` says it. */
export function atMost(
  limit: number,
  { value, unit, text = `at most ${limit} ${unit}` }: Pick<Row, "value" | "unit"> & {
    readonly text?: string;
  },
): Required<Pick<Row, "target" | "met">> {
  return { target: text, met: value <= limit };
}

const HEADS = ["", "measured", "peer", "", "ratio", "target"] as const;
const RIGHT: ReadonlySet<number> = new Set([1, 3, 4]);

/** The lines of one table: what, figure, peer, its figure, the ratio of the two, the target and whether it is met. */
export function formatTable(rows: readonly Row[]): readonly string[] {
  const cells = [HEADS, ...rows.map(cellsOf)];
  const widths = HEADS.map((_, column) => Math.max(...cells.map((line) => line[column]?.length ?? 0)));
  const lines = cells.map((line) =>
    line.map((cell, column) => {
      const width = widths[column] ?? 0;
      return RIGHT.has(column) ? cell.padStart(width) : cell.padEnd(width);
    }).join("  ").trimEnd()
  );
  const [head = "", ...rest] = lines;
  return [head, "-".repeat(widths.reduce((sum, width) => sum + width + 2, -2)), ...rest];
}

/** What a reader wants to know at the end. */
export function summaryOf(rows: readonly Row[]): string {
  const aims = rows.filter(({ met }) => met !== undefined);
  const missed = aims.filter(({ met }) => met === false);
  if (missed.length === 0) return `All ${aims.length} targets are met.`;
  return `${missed.length} of ${aims.length} targets missed: ${missed.map(({ name }) => name).join("; ")}.`;
}

function cellsOf({ name, value, unit, peer, peerValue, target, met }: Row): readonly string[] {
  const beside = peer !== undefined && peerValue !== undefined;
  return [
    name,
    figure(value, unit),
    beside ? peer : "",
    beside ? figure(peerValue, unit) : "",
    beside ? ratio(value, peerValue) : "",
    target === undefined ? "" : `${met ? "met" : "MISSED"}: ${target}`,
  ];
}

function figure(value: number, unit: Unit): string {
  if (Number.isInteger(value)) return `${value} ${unit}`;
  return `${value.toFixed(Math.abs(value) < 10 ? 3 : 1)} ${unit}`;
}

/** A ratio to nothing says nothing. */
function ratio(value: number, peerValue: number): string {
  return peerValue === 0 ? "" : `${(value / peerValue).toFixed(value / peerValue < 0.01 ? 4 : 2)}x`;
}
