import { assertEquals } from "@std/assert";
import { chmod, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";
import { browserEnvironment, openBrowser } from "../../../../adapters/cli/enterprise/browser.ts";
import { withFolders } from "../cli_process.ts";

/** A program of this name that writes down how it was started, and exits with `code`. */
async function opener(folder: string, name: string, code = 0): Promise<() => Promise<string[]>> {
  const path = join(folder, name);
  const script =
    `#!/bin/sh\n{ printf '%s\\n' "$#" "$@"; /usr/bin/env; } > "${folder}/record"\nexit ${code}\n`;
  await writeFile(path, script);
  await chmod(path, 0o755);
  return async () => (await readFile(join(folder, "record"), "utf8")).trim().split("\n");
}

const URL_WITH_TRICKS = "https://idp.example/a?b=1&c=$(touch%20x);`id`'%22|";

test("the URL is one argument, no shell reads it, and no secret goes along", async () => {
  await withFolders(["bin"], async (folder = "") => {
    const record = await opener(folder, "xdg-open");
    const environment = {
      PATH: folder,
      HOME: "/home/me",
      IDP_SECRET: "hush",
      LD_PRELOAD: "/x",
      DISPLAY: ":1",
    };
    assertEquals(await openBrowser({ environment, platform: "linux" }, URL_WITH_TRICKS), true);
    const [count, url, ...variables] = await record();
    assertEquals([count, url], ["1", new URL(URL_WITH_TRICKS).href]);
    const names = variables.map((line) => line.split("=")[0]);
    assertEquals(["HOME", "DISPLAY", "IDP_SECRET", "LD_PRELOAD"].map((name) => names.includes(name)), [
      true,
      true,
      false,
      false,
    ]);
  });
});

test("in WSL the browser of Windows comes first", async () => {
  await withFolders(["bin"], async (folder = "") => {
    const record = await opener(folder, "wslview");
    const environment = { PATH: folder, WSL_DISTRO_NAME: "x" };
    assertEquals(await openBrowser({ environment, platform: "linux" }, "https://idp.example/"), true);
    assertEquals((await record()).slice(0, 2), ["1", "https://idp.example/"]);
  });
});

test("no program, a program that fails, and what is no page", async () => {
  await withFolders(["bin", "none"], async (folder = "", none = "") => {
    await opener(folder, "xdg-open", 3);
    const open = (path: string, url: string): Promise<boolean> =>
      openBrowser({ environment: { PATH: path }, platform: "linux" }, url);
    assertEquals(await open(none, "https://idp.example/"), false);
    assertEquals(await open("", "https://idp.example/"), false);
    assertEquals(await open(folder, "https://idp.example/"), false);
    await opener(folder, "xdg-open");
    for (const url of ["file:///etc/passwd", "javascript:alert(1)", "data:text/html,x"]) {
      assertEquals(await open(folder, url), false, url);
    }
  });
});

test("a browser gets what a desktop needs, and only that", () => {
  const environment = {
    PATH: "/bin",
    XDG_RUNTIME_DIR: "/run",
    LC_ALL: "C",
    TOKEN: "t",
    AWS_SECRET_ACCESS_KEY: "s",
  };
  assertEquals(browserEnvironment(environment), { PATH: "/bin", XDG_RUNTIME_DIR: "/run", LC_ALL: "C" });
});
