/**
 * Where the files of Codex's own configuration are on this machine.
 *
 * The administrator's place is the system's, whatever a variable says: on Windows `ProgramData` is a variable that
 * any program sets for those that it starts, so that the folder is the one that Windows gives it on the drive of the
 * system.
 *
 * How the files are read is decided in `codex_configuration.ts`.
 *
 * @module
 */

import { homedir } from "node:os";
import { join, resolve, win32 } from "node:path";
import process from "node:process";
import { variablesOf } from "./variables.ts";

/** Where the files are. */
export interface ConfigurationPlaces {
  /** The administrator's file; `null`: the system has no place for one. */
  readonly administrator: string | null;
  /** The system's file; `null`: as above. */
  readonly system: string | null;
  /** The user's file. */
  readonly user: string;
  /** Whether the user's file was named on the command line, so that it has to be there and may be JSON. */
  readonly named: boolean;
  /** The default `~/.codex`, which is the user's although a workspace may lie around it. */
  readonly home: string;
  /** The working directory. */
  readonly directory: string;
}

/** What the places depend on. */
export interface PlacesOptions {
  /** The variables: `HOME`, `USERPROFILE`, `CODEX_HOME`, `SystemDrive`. On Windows in any case. */
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** The system. */
  readonly platform: "linux" | "darwin" | "windows";
  /** A file in the place of the user's; absent: `config.toml` in `CODEX_HOME`. */
  readonly file?: string | undefined;
  /** The working directory; absent: that of the process. */
  readonly directory?: string;
}

/** The places of this machine. Reads no file. */
export function codexPlaces({ environment, platform, file, directory }: PlacesOptions): ConfigurationPlaces {
  const variable = variablesOf({ environment, platform });
  const home = join(variable("HOME") || variable("USERPROFILE") || homedir(), ".codex");
  const shared = (name: string): string =>
    platform === "windows"
      ? win32.join(systemDrive(variable("SystemDrive")), "ProgramData", "OpenAI", "Codex", name)
      : `/etc/codex/${name}`;
  return {
    administrator: shared("managed_config.toml"),
    system: shared("config.toml"),
    user: resolve(file ?? join(variable("CODEX_HOME") || home, "config.toml")),
    named: file !== undefined,
    home,
    directory: directory ?? process.cwd(),
  };
}

/** The root of a drive and nothing longer: a folder could be a workspace. */
function systemDrive(named: string | undefined): string {
  return named !== undefined && /^[a-z]:$/i.test(named) ? `${named}\\` : "C:\\";
}
