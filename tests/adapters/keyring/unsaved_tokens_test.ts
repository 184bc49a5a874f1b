import { assertEquals, assertRejects } from "@std/assert";
import { mkdtemp, readdir, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { test } from "node:test";
import { UnsavedTokens } from "../../../adapters/keyring/unsaved_tokens.ts";
import { EnterpriseError } from "../../../core/enterprise/error.ts";
import { refusedCode } from "../../contracts/refused.ts";
import { KEY, loadLock, OTHER_KEY } from "./records.ts";

async function inFolder(body: (folder: string) => Promise<void>): Promise<void> {
  const folder = await mkdtemp(`${tmpdir()}/unsaved-`);
  try {
    await body(folder);
  } finally {
    await rm(folder, { recursive: true });
  }
}

test("what one has is left to it, until it says that it has none", () =>
  inFolder(async (folder) => {
    const [one, other] = [new UnsavedTokens({ folder, loadLock }), new UnsavedTokens({ folder, loadLock })];
    await one.tell([KEY]);
    await one.tell([KEY, OTHER_KEY]);
    await other.tell([KEY]);
    await one.check(KEY);
    for (const key of [KEY, OTHER_KEY]) {
      assertEquals(await refusedCode(() => other.check(key)), "KEYRING_LOCKED");
    }
    await one.tell([OTHER_KEY]);
    await other.check(KEY);
    assertEquals(await refusedCode(() => other.check(OTHER_KEY)), "KEYRING_LOCKED");
    await one.tell([]);
    await other.check(OTHER_KEY);
    assertEquals(await readdir(folder), []);
  }));

test("what a process had that is gone is nobody's", () =>
  inFolder(async (folder) => {
    // a number that no process has; the file holds when it started
    await writeFile(`${folder}/${KEY}-unsaved#999999.lock`, "Mon Nov 30 17:00:00 2026");
    await new UnsavedTokens({ folder, loadLock }).check(KEY);
  }));

test("a folder that holds no lock is told where it is asked, and passed over where it is said", async () => {
  const tokens = new UnsavedTokens({ folder: "/proc/nowhere", loadLock });
  await tokens.tell([KEY]);
  const error = await assertRejects(() => tokens.check(KEY), EnterpriseError);
  assertEquals(error.code, "MARKER_MALFORMED");
});
