/**
 * Draws how the authority of a tool call flows: two ways side by side, downwards, refusals beside each step. What it
 * says is in `ways.ts`, its colours in `style.ts`.
 *
 * @module
 */

import { type Area, arrow, box, line, stub, textWidth } from "./shapes.ts";
import { STYLE } from "./style.ts";
import { type Step, type Way, WAYS, type Zone } from "./ways.ts";

const WIDTH = 1164;
const MARGIN = 24;
const COLUMN = 548;
const STEP = { width: 292, height: 56, gap: 22 } as const;
const ZONE = { left: 58, padding: 12 } as const;
const TOP = 188;
/** Left edge of what stands beside a step, from that of its column. */
const BESIDE = ZONE.left + STEP.width + 26;
const BESIDE_WIDTH = COLUMN - BESIDE - 10;

/** The picture as a document of SVG. */
export function drawPicture(): string {
  const bottom = TOP + Math.max(...WAYS.map(({ zones }) => heightOf(zones) + (zones.length - 1) * STEP.gap));
  const columns = WAYS.map((way, at) => drawWay(way, { x: columnOf(at), bottom }));
  const height = bottom + 62;
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${height}" width="${WIDTH}" height="${height}" ` +
    'role="img" aria-labelledby="title description">',
    '<title id="title">How the authority of a tool call flows</title>',
    `<desc id="description">${describe()}</desc>`,
    `<style>\n${STYLE}\n</style>`,
    '<defs><marker id="head" viewBox="0 0 10 10" refX="9" refY="5" markerWidth="7" markerHeight="7" orient="auto">' +
    '<path class="head" d="M0 0 L10 5 L0 10 z"/></marker></defs>',
    box({ x: 0.5, y: 0.5, width: WIDTH - 1, height: height - 1 }, "ground", 16),
    ...columns.flatMap(({ under }) => under),
    ...drawThread(),
    ...columns.flatMap(({ over }) => over),
    ...drawLegend(bottom + 20),
    "</svg>",
    "",
  ].join("\n");
}

/** Left edge of a column. */
function columnOf(at: number): number {
  return at === 0 ? MARGIN : WIDTH - MARGIN - COLUMN;
}

/** The one beginning of both ways. */
function drawThread(): string[] {
  const area = { x: WIDTH / 2 - 366, y: 26, width: 732, height: 64 };
  const middle = WIDTH / 2;
  const width = area.width - 24;
  return [
    box(area, "thread"),
    line("A thread issues a tool call", [middle, area.y + 27], { look: "strong", size: 18, width }),
    line("its authority is fixed now; a repeat under another is refused", [middle, area.y + 49], {
      look: "quiet",
      size: 14,
      width,
    }),
    ...[0, 1].map((at) => {
      const x = columnOf(at) + ZONE.left + STEP.width - 24; // beside the titles
      return arrow([[x, area.y + area.height], [x, TOP + ZONE.padding]]);
    }),
  ];
}

/** Shapes that lie under all others, and the others. */
interface Drawn {
  readonly under: readonly string[];
  readonly over: readonly string[];
}

/** Heights of zones, without the gaps between them. */
function heightOf(zones: readonly Zone[]): number {
  return zones.reduce(
    (sum, { steps }) => sum + steps.length * STEP.height + (steps.length - 1) * STEP.gap + 2 * ZONE.padding,
    0,
  );
}

/** Both ways end at one line: the one with fewer zones has wider gaps. */
function drawWay(
  { look, title, text, zones }: Way,
  { x, bottom }: { readonly x: number; readonly bottom: number },
): Drawn {
  const gap = (bottom - TOP - heightOf(zones)) / (zones.length - 1);
  const under: string[] = [];
  const over = [
    line(title, [x + 4, TOP - 46], { look, size: 18, width: COLUMN, anchor: "start" }),
    line(text, [x + 4, TOP - 24], { look: "quiet", size: 14, width: COLUMN, anchor: "start" }),
  ];
  let y = TOP;
  for (const zone of zones) {
    const height = heightOf([zone]);
    under.push(
      box({ x, y, width: COLUMN, height }, "zone", 14),
      drawName(zone.name, { x, y, width: COLUMN, height }),
    );
    zone.steps.forEach((step, at) => {
      const top = y + ZONE.padding + at * (STEP.height + STEP.gap);
      over.push(...drawStep(step, [x, top]));
      const isEnd = at === zone.steps.length - 1;
      if (isEnd && zone === zones.at(-1)) return;
      const begin = top + STEP.height;
      const way = x + ZONE.left + STEP.width / 2;
      over.push(arrow([[way, begin], [way, begin + (isEnd ? gap + 2 * ZONE.padding : STEP.gap)]]));
    });
    y += height + gap;
  }
  return { under, over };
}

/** A name along the left edge of its zone. */
function drawName(name: string, { x, y, height }: Area): string {
  const [left, middle] = [x + 30, y + height / 2];
  const text = line(name, [left, middle + 5], { look: "quiet", size: 12, width: height });
  return `<g transform="rotate(-90 ${left} ${middle})">${text}</g>`;
}

function drawStep(
  { title, text, wire, refusals = [], notes = [] }: Step,
  [x, y]: readonly [number, number],
): string[] {
  const area = { x: x + ZONE.left, y, width: STEP.width, height: STEP.height };
  const middle = area.x + area.width / 2;
  const width = area.width - 12;
  const mono = wire === true || title.startsWith("codex ");
  return [
    box(area, wire ? "wire" : "step"),
    line(title, [middle, y + 24], { look: "strong", size: mono ? 14 : 16, width, mono }),
    line(text, [middle, y + 44], { look: "quiet", size: 13, width }),
    ...refusals.flatMap((code, at) => drawRefusal(code, [x, y + placeOf(at, refusals.length)])),
    ...notes.map((note, at) =>
      line(note, [x + BESIDE, y + 24 + at * 18], {
        look: "note",
        size: 12,
        width: BESIDE_WIDTH,
        anchor: "start",
      })
    ),
    ...(refusals.length === 0 ? [] : [stub([area.x + area.width, y + STEP.height / 2], x + BESIDE - 4)]),
  ];
}

const PILL = { height: 20, pitch: 23 } as const;

/** Upper edge of the pill `at` of `count`, from that of its step: together they stand in its middle. */
function placeOf(at: number, count: number): number {
  return STEP.height / 2 - (count * PILL.pitch - (PILL.pitch - PILL.height)) / 2 + at * PILL.pitch;
}

function drawRefusal(code: string, [x, y]: readonly [number, number]): string[] {
  const look = { look: "code", size: code.length > 20 ? 9.5 : 11, mono: true } as const;
  const width = Math.min(BESIDE_WIDTH + 6, textWidth(code, look) + 16);
  return [
    box({ x: x + BESIDE - 4, y, width, height: PILL.height }, "refusal", 6),
    line(code, [x + BESIDE + 4, y + 14], { ...look, width: width - 8, anchor: "start" }),
  ];
}

function drawLegend(y: number): string[] {
  const [code, text] = ["CODE", "refused, with this code: nothing runs, and nothing takes its place"];
  const width = textWidth(code, { size: 11, mono: true }) + 16;
  return [
    box({ x: MARGIN, y, width, height: PILL.height }, "refusal", 6),
    line(code, [MARGIN + 8, y + 15], { look: "code", size: 11, mono: true, width, anchor: "start" }),
    line(text, [MARGIN + width + 12, y + 15], { look: "quiet", size: 13, width: 600, anchor: "start" }),
  ];
}

/** The picture in words, for whoever does not see it. */
function describe(): string {
  return WAYS.map(({ title, text, zones }) => {
    const steps = zones.flatMap((zone) =>
      zone.steps.map((step) => {
        const codes = step.refusals === undefined ? "" : ` (refuses with ${step.refusals.join(", ")})`;
        return `${zone.name.toLowerCase()}: ${step.title}, ${step.text}${codes}`;
      })
    );
    return `${title}, ${text}. ${steps.join("; ")}.`;
  }).join(" ").replaceAll("&", "&amp;").replaceAll("<", "&lt;");
}
