import { test } from "node:test";
import { assertEquals } from "@std/assert";
import { trustsProject } from "../../../core/configuration/project_trust.ts";
import { layer } from "../enterprise/config/layers.ts";

function trusting(projects: Record<string, string>): ReturnType<typeof layer> {
  return layer({
    projects: Object.fromEntries(
      Object.entries(projects).map(([folder, trust_level]) => [folder, { trust_level }]),
    ),
  });
}

const folders = ["/w/p/sub", "/w/p"];

test("trustsProject: the nearest folder with an entry counts", () => {
  const cases: readonly (readonly [Record<string, string>, boolean])[] = [
    [{}, false],
    [{ "/w/p": "trusted" }, true],
    [{ "/w/p/sub": "trusted" }, true],
    [{ "/w/p/sub": "untrusted", "/w/p": "trusted" }, false],
    [{ "/w/p/sub": "trusted", "/w/p": "untrusted" }, true],
    [{ "/w": "trusted" }, false],
    [{ "/w/p/": "trusted" }, false],
    [{ "/w/p": "yes" }, false],
  ];
  for (const [projects, expected] of cases) {
    assertEquals(trustsProject([trusting(projects)], { folders }), expected, JSON.stringify(projects));
  }
});

test("trustsProject: the strongest layer of host policy counts, and no project trusts itself", () => {
  const user = trusting({ "/w/p": "trusted" });
  const administrator = { ...trusting({ "/w/p": "untrusted" }), kind: "administrator" as const };
  assertEquals(trustsProject([administrator, user], { folders }), false);
  assertEquals(trustsProject([{ ...user, kind: "project" }], { folders }), false);
  assertEquals(trustsProject([layer({ projects: 3 })], { folders }), false);
});

test("trustsProject: case counts, except where a system does not tell it apart", () => {
  const user = trusting({ "/W/P": "trusted" });
  assertEquals(trustsProject([user], { folders }), false);
  assertEquals(trustsProject([user], { folders, ignoreCase: true }), true);
});
