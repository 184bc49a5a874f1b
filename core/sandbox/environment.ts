/**
 * The environment of a launcher: which variables of the server it gets. A variable can move the execution
 * out of the sandbox (a loader hook, a decoy on a relative `PATH`), so there is a list, and it is short.
 *
 * @module
 */

import { isAbsolutePath, type Platform } from "./path.ts";

/** Passed on when set. Windows compares the names without regard to case. */
// deno-fmt-ignore
const BASE: readonly string[] = [
  "PATH", "HOME", "USER", "LOGNAME", "SHELL", "TERM", "TZ",
  "CODEX_HOME",
  "LANG", "LANGUAGE", "LC_ALL", "LC_CTYPE", "LC_COLLATE", "LC_MESSAGES", "LC_MONETARY", "LC_NUMERIC", "LC_TIME",
  "TMPDIR", "TMP", "TEMP",
  "HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY", "NO_PROXY", "http_proxy", "https_proxy", "all_proxy", "no_proxy",
  "SSL_CERT_FILE", "SSL_CERT_DIR", "NODE_EXTRA_CA_CERTS", "CODEX_CA_CERTIFICATE",
];

/** Passed on besides, on Windows. */
// deno-fmt-ignore
const WINDOWS: readonly string[] = [
  "SYSTEMROOT", "SYSTEMDRIVE", "WINDIR", "COMSPEC", "PATHEXT", "USERPROFILE", "USERNAME", "HOMEDRIVE", "HOMEPATH",
  "APPDATA", "LOCALAPPDATA", "PROGRAMDATA", "PROGRAMFILES", "NUMBER_OF_PROCESSORS", "PROCESSOR_ARCHITECTURE", "OS",
];

/** Where Codex looks for its configuration: a relative one would be in the project. */
const HOMES: readonly string[] = ["CODEX_HOME", "HOME", "USERPROFILE"];

/** Hooks of loaders, shells and interpreters: each runs code in any program that starts. */
const HOOK =
  /^(LD_.*|DYLD_.*|GLIBC_TUNABLES|GCONV_PATH|BASH_ENV|ENV|BASH_FUNC_.*|SHELLOPTS|BASHOPTS|PS4|PROMPT_COMMAND|ZDOTDIR|CDPATH|IFS|NODE_OPTIONS|NODE_PATH|DENO_.*|BUN_.*|PYTHON(PATH|HOME|STARTUP|INSPECT)|PERL5?(LIB|OPT|DB)|PERLLIB|RUBY(OPT|LIB)|JAVA_TOOL_OPTIONS|_?JAVA_OPTIONS|JDK_JAVA_OPTIONS|CLASSPATH|PSMODULEPATH|COR_.*|CORECLR_.*|DOTNET_STARTUP_HOOKS|GIT_(SSH.*|EXTERNAL_DIFF|PAGER|EXEC_PATH|ASKPASS|CONFIG.*))$/i;

/** How the snapshot is taken. */
export interface LauncherEnvironmentOptions {
  /** More names to pass on, given by the operator. A hook is not passed on even so. */
  readonly names?: readonly string[] | undefined;
  /** `"linux"` when absent. */
  readonly platform?: Platform | undefined;
}

/**
 * The part of `source` that a launcher gets: a base list (search path, home, `CODEX_HOME`, locale, temporary folders,
 * proxies and certificates, on Windows the system's own names) and the operator's names. Hooks of loaders and
 * interpreters and relative entries of `PATH` are dropped, and `PATH` itself when none is left, and a relative
 * `CODEX_HOME` or `HOME`. What the *command* gets of this is up to `shell_environment_policy` in Codex's own
 * configuration, which by default passes everything on.
 *
 * Take it once, when a server starts, so that nothing that happens later changes what launchers see.
 */
export function launcherEnvironment(
  source: Readonly<Record<string, string | undefined>>,
  options: LauncherEnvironmentOptions = {},
): Readonly<Record<string, string>> {
  const { names = [], platform = "linux" } = options;
  const fold = (name: string): string => platform === "windows" ? name.toUpperCase() : name;
  const wanted = new Set([...BASE, ...(platform === "windows" ? WINDOWS : []), ...names].map(fold));
  const environment: [string, string][] = [];
  for (const [name, value] of Object.entries(source)) {
    if (value === undefined || !wanted.has(fold(name)) || isEnvironmentHook(name)) continue;
    if (HOMES.includes(fold(name)) && !isAbsolutePath(value, platform)) continue;
    const kept = fold(name) === "PATH" ? absoluteEntries(value, platform) : value;
    // an empty PATH would mean the working directory; without one, systems have a default
    if (kept !== "" || fold(name) !== "PATH") environment.push([name, kept]);
  }
  return Object.freeze(Object.fromEntries(environment));
}

/** Tells whether a variable of this name makes programs run code that nobody asked for. */
export function isEnvironmentHook(name: string): boolean {
  return HOOK.test(name);
}

/** An empty entry means the working directory, so it goes too. */
function absoluteEntries(path: string, platform: Platform): string {
  const separator = platform === "windows" ? ";" : ":";
  return path.split(separator).filter((entry) => isAbsolutePath(entry, platform)).join(separator);
}
