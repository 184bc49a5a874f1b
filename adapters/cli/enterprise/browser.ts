/**
 * Opening the browser: one program, the URL as one argument, no shell. The program gets a short list of variables,
 * so that no secret of this environment reaches it.
 *
 * The URL is always shown too: whoever calls this goes on when no browser opens.
 *
 * @module
 */

import { spawn } from "node:child_process";
import { join } from "node:path";
import { UsageError } from "../program/exit_code.ts";
import type { CliRuntime } from "../program/runtime.ts";
import { programNamed } from "../program/server_program.ts";

/** What a desktop's programs need to find their session, and a browser its profile. */
const VARIABLES: readonly RegExp[] = [
  /^(PATH|HOME|USER|LOGNAME|SHELL|TERM|TZ|LANG|LANGUAGE|LC_[A-Z]+|TMPDIR|TMP|TEMP|BROWSER)$/,
  /^(DISPLAY|WAYLAND_DISPLAY|XAUTHORITY|DBUS_SESSION_BUS_ADDRESS|DESKTOP_SESSION|XDG_[A-Z_]+)$/,
  /^(KDE_FULL_SESSION|KDE_SESSION_VERSION|GNOME_DESKTOP_SESSION_ID|WSL_DISTRO_NAME|WSL_INTEROP)$/,
  /^(SYSTEMROOT|SYSTEMDRIVE|WINDIR|COMSPEC|PATHEXT|USERPROFILE|USERNAME|HOMEDRIVE|HOMEPATH)$/i,
  /^(APPDATA|LOCALAPPDATA|PROGRAMDATA|PROGRAMFILES(\(X86\))?)$/i,
];

/** How long a program may take to say that it failed, in milliseconds. */
const PATIENCE_MS = 3_000;

/**
 * Opens `url`, an http or https URL. `false` when there is no program for that, or it says that it failed. What runs
 * on is left to the desktop.
 */
export async function openBrowser(
  { environment, platform }: Pick<CliRuntime, "environment" | "platform">,
  url: string,
): Promise<boolean> {
  const target = new URL(url);
  if (target.protocol !== "https:" && target.protocol !== "http:") return false;
  const opener = await openerFor({ environment, platform });
  if (opener === null) return false;
  const [program, ...words] = opener;
  const child = spawn(program, [...words, target.href], {
    shell: false,
    detached: platform !== "windows",
    stdio: "ignore",
    env: browserEnvironment(environment),
  });
  const ended = new Promise<boolean>((resolve) => {
    child.once("error", () => resolve(false));
    child.once("exit", (code) => resolve(code === 0));
  });
  child.unref();
  let timer: ReturnType<typeof setTimeout> | undefined;
  const runs = new Promise<boolean>((resolve) => timer = setTimeout(resolve, PATIENCE_MS, true));
  return await Promise.race([ended, runs]).finally(() => clearTimeout(timer));
}

/** The variables of `environment` that a browser gets. */
export function browserEnvironment(
  environment: Readonly<Record<string, string>>,
): Record<string, string> {
  return Object.fromEntries(
    Object.entries(environment).filter(([name]) => VARIABLES.some((pattern) => pattern.test(name))),
  );
}

/** The program that opens URLs and its first words; `null`: there is none. */
async function openerFor(
  { environment, platform }: Pick<CliRuntime, "environment" | "platform">,
): Promise<readonly [string, ...string[]] | null> {
  if (platform === "darwin") return ["/usr/bin/open"];
  if (platform === "windows") {
    const root = environment["SystemRoot"] ?? "C:\\Windows";
    return [join(root, "System32", "rundll32.exe"), "url.dll,FileProtocolHandler"];
  }
  for (const name of environment["WSL_DISTRO_NAME"] ? ["wslview", "xdg-open"] : ["xdg-open"]) {
    try {
      return [(await programNamed({ environment, platform }, [name])).executable];
    } catch (error) {
      if (!(error instanceof UsageError)) throw error;
    }
  }
  return null;
}
