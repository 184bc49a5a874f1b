/**
 * The project directory of a state, for a server that wants to show it or to find its configuration there. It
 * is off the launch path: the sandbox takes its directory from the state by itself.
 *
 * @module
 */

import { SandboxError } from "../errors.ts";
import { type JsonValue, ownProperty } from "../json/value.ts";
import { isAbsolutePath, isRepresentable, type Platform } from "./path.ts";

/** Whose paths are native. */
export interface ProjectDirectoryOptions {
  /** `"linux"` when absent. */
  readonly platform?: Platform | undefined;
}

/**
 * Reads the working directory from a state: `sandboxCwd` as a `file:` URI (RFC 8089) or as a plain path, given
 * back as a path of `platform`. Never translated from one system to another.
 *
 * @throws {SandboxError} `DIRECTORY_UNKNOWN` when the state names none, or not one that can be read.
 * @throws {SandboxError} `DIRECTORY_NOT_NATIVE` when it names one of another system or machine.
 *
 * @example
 * ```ts
 * import { projectDirectory } from "@codex-mcp/runtime";
 *
 * console.log(projectDirectory({ sandboxCwd: "file:///home/dev/my%20project" })); // /home/dev/my project
 * ```
 */
export function projectDirectory(state: JsonValue, options: ProjectDirectoryOptions = {}): string {
  const { platform = "linux" } = options;
  const directory = ownProperty(state, "sandboxCwd");
  if (typeof directory !== "string") throw unknown("the state names none");
  const path = /^file:/i.test(directory) ? pathOfUri(directory, platform) : directory;
  if (!isRepresentable(path)) throw unknown("it holds a character that no path can hold");
  const looksWindows = /^\/?[A-Za-z]:[\\/]/.test(path) || path.startsWith("\\\\");
  if (!isAbsolutePath(path, platform) || platform !== "windows" && looksWindows) {
    throw notNative(platform);
  }
  return path;
}

function pathOfUri(uri: string, platform: Platform): string {
  let url: URL;
  let path: string;
  if (!/^file:\//i.test(uri)) throw unknown("its URI is relative");
  try {
    url = new URL(uri);
    if (/%2f/i.test(url.pathname) || platform === "windows" && /%5c/i.test(url.pathname)) {
      throw unknown("a separator in it is escaped");
    }
    path = decodeURIComponent(url.pathname);
  } catch (error) {
    if (error instanceof SandboxError) throw error;
    throw unknown("it is not a file URI that UTF-8 can write");
  }
  if (url.search !== "" || url.hash !== "") throw unknown("its URI has a query or a fragment");
  if (platform !== "windows") {
    if (url.hostname !== "") throw notNative(platform);
    return path;
  }
  const native = path.replaceAll("/", "\\");
  return url.hostname !== "" ? `\\\\${url.hostname}${native}` : native.replace(/^\\(?=[A-Za-z]:)/, "");
}

function unknown(why: string): SandboxError {
  return new SandboxError("DIRECTORY_UNKNOWN", `Cannot tell the project directory: ${why}.`);
}

function notNative(platform: Platform): SandboxError {
  return new SandboxError(
    "DIRECTORY_NOT_NATIVE",
    `Cannot use the project directory of the state: it is not a path of this ${platform} host.`,
  );
}
