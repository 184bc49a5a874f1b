/**
 * Many ways to write one JSON value, and texts that are nearly JSON.
 *
 * @module
 */

import type { JsonValue } from "../../../core/json/value.ts";

/** Numbers from 0 up to 1, the same ones for the same seed. */
export function drawFrom(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let t = Math.imul(state ^ (state >>> 15), state | 1);
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
    return ((t ^ (t >>> 14)) >>> 0) / 0x1_0000_0000;
  };
}

/** One of `choices`, of which there is at least one. */
export function pick<T>(choices: readonly T[], draw: () => number): T {
  return choices[Math.floor(draw() * choices.length)]!;
}

const SPACES = ["", "", "", " ", "\n", "\t", "\r\n", "  "];

/** Writes `value` with white space and escapes as `draw` has it; numbers by their value, often oddly. */
export function spell(value: JsonValue, draw: () => number): string {
  const space = (): string => pick(SPACES, draw);
  const list = (parts: readonly string[]): string => parts.join(`${space()},${space()}`);
  if (typeof value === "string") return spellString(value, draw);
  if (typeof value === "number") return spellNumber(value, draw);
  if (typeof value !== "object" || value === null) return String(value);
  if (Array.isArray(value)) return `[${space()}${list(value.map((v) => spell(v, draw)))}${space()}]`;
  const members = Object.entries(value).map(([key, member]) =>
    `${spellString(key, draw)}${space()}:${space()}${spell(member, draw)}`
  );
  return `{${space()}${list(members)}${space()}}`;
}

const SHORT_ESCAPES: Readonly<Record<string, string>> = {
  "\b": "\\b",
  "\f": "\\f",
  "\n": "\\n",
  "\r": "\\r",
  "\t": "\\t",
  '"': '\\"',
  "\\": "\\\\",
  "/": "\\/",
};

function spellString(string: string, draw: () => number): string {
  const rare = draw() < 0.7 ? 0 : 0.3;
  const units = string.split("").map((unit) => {
    const must = unit < " " || unit === '"' || unit === "\\";
    if (!must && draw() >= rare) return unit;
    const hex = unit.charCodeAt(0).toString(16).padStart(4, "0");
    return draw() < 0.5 && SHORT_ESCAPES[unit] !== undefined
      ? SHORT_ESCAPES[unit]
      : `\\u${draw() < 0.5 ? hex : hex.toUpperCase()}`;
  });
  return `"${units.join("")}"`;
}

function spellNumber(number: number, draw: () => number): string {
  const plain = JSON.stringify(number);
  const [, mantissa = plain, exponent = "0"] = /^(.*)e(.*)$/.exec(plain) ?? [];
  const zeros = "0".repeat(Math.floor(draw() * 4));
  switch (Math.floor(draw() * 5)) {
    case 0:
      return `${mantissa}E${exponent.startsWith("-") || exponent.startsWith("+") ? "" : "+"}${exponent}`;
    case 1:
      return mantissa.includes(".") ? `${mantissa}${zeros}e${exponent}` : `${mantissa}.0${zeros}e${exponent}`;
    case 2:
      return /[.e]|^0/.test(plain) ? plain : `${plain}${zeros}e-${zeros}${zeros.length}`;
    default:
      return plain;
  }
}

const FRAGMENTS = [
  ...'{}[],:"\\/u0123456789aeE+-.tfn \t\n\r\b\0\u001f\u007f\u00a0\u2028\ufeff\ud800\udc00é',
  '""',
  '"a"',
  '"a":1,',
  '"id":',
  '"_m\\u0065ta":{},',
  ',"params":{}',
  "\\u0069",
  "\\uD83D",
  "\\x",
  "01",
  "1.",
  "-",
  "1e5",
  "nul",
  "true",
  "[]",
  "{}",
  "//",
];

const MEMBERS = [
  '"id":1,',
  '"\\u0069d":[],',
  '"method" : {},',
  '"params":{},',
  '"_meta":0,',
  '"codex\\/sandbox-state":1,',
  '"codex/sandbox-state-meta":1,',
  '"a":1,',
];

/** A copy of `text` with a few small changes, most often one or two. */
export function mutate(text: string, draw: () => number): string {
  let result = text;
  for (let times = 1 + Math.floor(draw() * draw() * 4); times > 0; times--) {
    const at = Math.floor(draw() * (result.length + 1));
    const to = Math.min(result.length, at + Math.floor(draw() * draw() * 12));
    switch (Math.floor(draw() * 9)) {
      case 0:
        result = result.slice(0, at) + result.slice(to + 1);
        break;
      case 1:
        result = result.slice(0, at) + pick(FRAGMENTS, draw) + result.slice(at);
        break;
      case 2:
        result = result.slice(0, at) + pick(FRAGMENTS, draw) + result.slice(to + 1);
        break;
      case 3:
        result = result.slice(0, to) + result.slice(at);
        break;
      case 4:
        result = draw() < 0.2 ? result.slice(0, at) : result.slice(0, at) + " " + result.slice(at);
        break;
      case 5:
      case 6:
      case 7: {
        const braces = [...result.matchAll(/\{/g)].map(({ index }) => index + 1);
        if (braces.length === 0) break;
        const brace = pick(braces, draw);
        result = result.slice(0, brace) + pick(MEMBERS, draw) + result.slice(brace);
        break;
      }
      default: {
        const from = Math.floor(draw() * (result.length + 1));
        result = result.slice(0, from) + result.slice(at, to) + result.slice(from);
      }
    }
  }
  return result;
}
