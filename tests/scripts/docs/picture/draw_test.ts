import { assert, assertEquals } from "@std/assert";
import { test } from "node:test";
import { drawPicture } from "../../../../scripts/docs/picture/draw.ts";
import { WAYS } from "../../../../scripts/docs/picture/ways.ts";

const PICTURE = drawPicture();

test("the picture needs nothing from elsewhere", () => {
  const addresses = [...PICTURE.matchAll(/\b(?:https?:|url\(|href|@import|@font-face)[^\s")]*/g)].map((
    [text],
  ) => text);
  assertEquals([...new Set(addresses)].sort(), ["http://www.w3.org/2000/svg", "url(#head"]);
});

test("every element that is opened is closed", () => {
  const open: string[] = [];
  for (const [, end, name, own] of PICTURE.matchAll(/<(\/?)([a-z]+)[^<>]*?(\/?)>/g)) {
    if (end !== "/" && own !== "/") open.push(name ?? "");
    else if (end === "/") assertEquals(open.pop(), name);
  }
  assertEquals(open, []);
});

test("every step and every code of the two ways is in it, within its edges", () => {
  const [, width = 0, height = 0] = /viewBox="0 0 (\d+) (\d+)"/.exec(PICTURE)?.map(Number) ?? [];
  for (const step of WAYS.flatMap(({ zones }) => zones.flatMap(({ steps }) => steps))) {
    for (const text of [step.title, step.text, ...step.refusals ?? []]) {
      assert(PICTURE.includes(`>${text.replaceAll("<", "&lt;")}</text>`), text);
    }
  }
  for (const [, x, y] of PICTURE.matchAll(/<text x="([\d.]+)" y="([\d.]+)"/g)) {
    assert(Number(x) < width && Number(y) < height, `${x} ${y}`);
  }
});
