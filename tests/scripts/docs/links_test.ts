import { assertEquals } from "@std/assert";
import { test } from "node:test";
import { REPOSITORY } from "../../../scripts/docs/generated.ts";
import { linkFlaw } from "../../../scripts/docs/links.ts";

function flaws(...targets: readonly string[]): (string | null)[] {
  return targets.map((target) => linkFlaw(REPOSITORY, { path: "docs/troubleshooting.md", target }));
}

test("files, folders, headings and other places may be linked to", () => {
  assertEquals(
    flaws(
      "../README.md",
      "../core/errors.ts",
      "../core/sandbox",
      "#state_missing",
      "../README.md#try-it",
    ),
    [null, null, null, null, null],
  );
  assertEquals(flaws("https://example.org/", "mailto:a@example.org"), [null, null]);
});

test("what is not there, or elsewhere, is told", () => {
  assertEquals(flaws("gone.md", "#gone", "../core/errors.ts#L1", "../../away.md", "/README.md"), [
    "leads to nothing",
    "leads to no heading",
    "names a place in a file that is no document",
    "leads out of the repository",
    "begins with a slash, which is another place on every site",
  ]);
});
