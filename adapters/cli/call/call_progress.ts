/**
 * The progress of a call, on a terminal alone: nobody else is asked to report any.
 *
 * @module
 */

import process from "node:process";
import { withMovingLine } from "../terminal/moving_line.ts";
import { visible } from "../terminal/shown.ts";

/** What a server reports. */
export interface ReportedProgress {
  /** How far it is. */
  readonly progress: number;
  /** How far it goes; absent: not known. */
  readonly total?: number | undefined;
  /** What it does. */
  readonly message?: string | undefined;
}

/** Runs `work` with a line on standard error that says how far it is; `tell` is `undefined` where nobody looks. */
export async function withProgress<Value>(
  title: string,
  work: (tell: ((progress: ReportedProgress) => void) | undefined) => Promise<Value>,
): Promise<Value> {
  const line = (told: ReportedProgress | null): string =>
    progressLine(title, told, process.stderr.columns || 80);
  return await withMovingLine(
    line(null),
    (show) => work(show === undefined ? undefined : (progress) => show(line(progress))),
  );
}

/** One line of at most `columns` characters, the frame of the spinner included. */
export function progressLine(title: string, told: ReportedProgress | null, columns: number): string {
  const message = told?.message === undefined ? "" : ` ${visible(told.message)}`;
  const line = `${visible(title)}${told === null ? "" : ` ${amount(told)}`}${message}`;
  const room = Math.max(8, columns - 3);
  const characters = [...line];
  return characters.length > room ? `${characters.slice(0, room - 1).join("")}…` : line;
}

function amount({ progress, total }: ReportedProgress): string {
  if (total === undefined || !(total > 0)) return String(progress);
  const percent = Math.floor(Math.min(100, Math.max(0, progress / total * 100)));
  return `${percent} % (${progress}/${total})`;
}
