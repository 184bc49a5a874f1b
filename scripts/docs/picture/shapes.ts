/**
 * The shapes of a picture as SVG text: boxes, lines of text that fit into them, arrows. Colours are those of classes
 * (`style.ts`), so that one picture serves light and dark pages.
 *
 * @module
 */

/** A rectangle, in units of the picture. */
export interface Area {
  /** Left edge. */
  readonly x: number;
  /** Upper edge. */
  readonly y: number;
  /** Width. */
  readonly width: number;
  /** Height. */
  readonly height: number;
}

/** How a line of text looks. */
export interface TextLook {
  /** Class, which says its colour and weight. */
  readonly look: string;
  /** Size of the letters. */
  readonly size: number;
  /** Most units that the line may be wide. */
  readonly width: number;
  /** Where `x` is of the line; its middle when absent. */
  readonly anchor?: "start" | "middle";
  /** Whether all letters have one width. */
  readonly mono?: boolean;
}

/** Width of a letter as a part of its size: what wide system fonts have, so that no font overflows. */
const LETTER = { sans: 0.55, mono: 0.62 } as const;

/** Units that a line of text takes at most, in any of the fonts that `style.ts` names. */
export function textWidth(text: string, { size, mono = false }: Pick<TextLook, "size" | "mono">): number {
  return text.length * size * (mono ? LETTER.mono : LETTER.sans);
}

/** A line of text whose baseline is at `y`. Throws where it does not fit: the picture is to be changed then. */
export function line(text: string, at: readonly [x: number, y: number], look: TextLook): string {
  const width = textWidth(text, look);
  if (width > look.width) throw new Error(`"${text}" is ${Math.ceil(width)} wide, and has ${look.width}`);
  const anchor = look.anchor === "start" ? "" : ' text-anchor="middle"';
  const font = look.mono ? ' class="mono ' : ' class="sans ';
  return `<text x="${at[0]}" y="${at[1]}" font-size="${look.size}"${anchor}${font}${look.look}">${
    escaped(text)
  }</text>`;
}

/** A box with round corners. */
export function box({ x, y, width, height }: Area, look: string, round = 10): string {
  return `<rect class="${look}" x="${x}" y="${y}" width="${width}" height="${height}" rx="${round}"/>`;
}

/** An arrow along `points`, to the last one. */
export function arrow(points: readonly (readonly [x: number, y: number])[]): string {
  const [first, ...others] = points.map(([x, y]) => `${x} ${y}`);
  return `<path class="arrow" d="M${first}${
    others.map((point) => ` L${point}`).join("")
  }" marker-end="url(#head)"/>`;
}

/** A line to something beside the way. */
export function stub([x1, y]: readonly [x: number, y: number], x2: number): string {
  return `<path class="stub" d="M${x1} ${y} H${x2}"/>`;
}

function escaped(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
}
