import { assert, assertEquals, assertRejects, assertThrows } from "@std/assert";
import { chmod, mkdir, mkdtemp, rm, stat, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import process from "node:process";
import { test } from "node:test";
import { makeStateFolder, stateFolder, unusable } from "../../../adapters/keyring/state_folder.ts";
import { EnterpriseError } from "../../../core/enterprise/error.ts";
import { refusedCode } from "../../contracts/refused.ts";

const place = (
  platform: "linux" | "darwin" | "windows" | "other",
  variables: Record<string, string>,
): string => stateFolder({ platform, variable: (name) => variables[name] });

test("each platform has its place", () => {
  assertEquals(place("linux", { HOME: "/home/me" }), "/home/me/.local/state/codex-mcp");
  assertEquals(place("linux", { HOME: "/home/me", XDG_STATE_HOME: "/s" }), "/s/codex-mcp");
  assertEquals(place("other", { HOME: "/home/me" }), "/home/me/.local/state/codex-mcp");
  assertEquals(place("linux", { HOME: "/home/me", XDG_STATE_HOME: "s" }), "/home/me/.local/state/codex-mcp");
  assertEquals(
    place("darwin", { HOME: "/Users/me", XDG_STATE_HOME: "/s" }),
    "/Users/me/Library/Application Support/codex-mcp",
  );
  assertEquals(place("windows", { LOCALAPPDATA: "C:\\U\\Local" }), "C:\\U\\Local\\codex-mcp");
});

test("an environment without a home, or with a relative one, names no place", () => {
  const cases = [
    () => place("linux", {}),
    () => place("linux", { HOME: "me" }),
    () => place("darwin", { XDG_STATE_HOME: "/s" }),
    () => place("windows", { HOME: "/home/me" }),
    () => place("windows", { LOCALAPPDATA: "Local" }),
  ];
  for (const one of cases) {
    const error = assertThrows(one, EnterpriseError);
    assertEquals([error.code, error.reason], ["MARKER_MALFORMED", "folder"]);
  }
});

test("the folder is made for the user alone, and one that is open is closed", async () => {
  const base = await mkdtemp(`${tmpdir()}/state-`);
  try {
    await makeStateFolder(`${base}/a/b`);
    assertEquals((await stat(`${base}/a/b`)).mode & 0o777, 0o700);
    await chmod(`${base}/a/b`, 0o777);
    await makeStateFolder(`${base}/a/b`);
    assertEquals((await stat(`${base}/a/b`)).mode & 0o777, 0o700);
    await writeFile(`${base}/file`, "");
    await mkdir(`${base}/real`);
    await symlink(`${base}/real`, `${base}/link`);
    for (const path of [`${base}/file`, `${base}/link`, `${base}/file/below`]) {
      assertEquals(await refusedCode(() => makeStateFolder(path)), "MARKER_MALFORMED");
    }
  } finally {
    await rm(base, { recursive: true });
  }
});

test("the folder of someone else is refused, also where it could be closed", async () => {
  const base = await mkdtemp(`${tmpdir()}/state-`);
  const own = process.getuid;
  try {
    await makeStateFolder(`${base}/s`);
    // as if another user ran this
    Reflect.set(process, "getuid", () => (own?.call(process) ?? 0) + 1);
    const error = await assertRejects(() => makeStateFolder(`${base}/s`), EnterpriseError);
    assertEquals([error.code, /belongs to someone else/.test(error.message)], ["MARKER_MALFORMED", true]);
    // a runtime that does not permit to ask, or has no owners
    Reflect.set(process, "getuid", () => {
      throw new Error("Requires sys access");
    });
    await makeStateFolder(`${base}/s`);
    Reflect.set(process, "getuid", undefined);
    await makeStateFolder(`${base}/s`);
  } finally {
    Reflect.set(process, "getuid", own);
    await rm(base, { recursive: true });
  }
});

test("what the system said is kept by its name alone", () => {
  const error = unusable("/p", "it is gone", new TypeError("with a secret"));
  assertEquals(error.message, 'Cannot use the sign-in\'s state "/p": it is gone');
  assertEquals(error.cause, { name: "TypeError" });
  assert(!("cause" in unusable("/p", "it is gone")) || unusable("/p", "it is gone").cause === undefined);
});
