/**
 * Rows of the benchmark's table.
 *
 * @module
 */

/** One figure beside its peer's. */
export interface Row {
  /** What is measured. */
  readonly name: string;
  /** The figure, in `unit`. */
  readonly value: number;
  /** Unit of both figures. */
  readonly unit: "µs" | "ms" | "KB";
  /** What it is compared with. */
  readonly peer?: string;
  /** The peer's figure. */
  readonly peerValue?: number;
  /** What should hold, in words. */
  readonly target?: string;
  /** Whether it does; absent: there is no target. */
  readonly met?: boolean;
}

/** The row as a line of text. */
export function formatRow(row: Row): string {
  const peer = row.peer === undefined || row.peerValue === undefined
    ? ""
    : `${row.peer} ${figure(row.peerValue, row.unit)}  (${(row.value / row.peerValue).toFixed(3)}x)`;
  const target = row.target === undefined ? "" : `${row.met ? "met" : "MISSED"}: ${row.target}`;
  return `${row.name.padEnd(42)} ${figure(row.value, row.unit).padStart(12)}  ${peer.padEnd(48)} ${target}`
    .trimEnd();
}

function figure(value: number, unit: string): string {
  return `${value.toFixed(value < 10 ? 3 : 1)} ${unit}`;
}
