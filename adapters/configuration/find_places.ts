/**
 * Finds the places of `places.ts` without asking the system: for who knows the home folder and has a disk of its own.
 *
 * The administrator's place is the system's, whatever a variable says: on Windows `ProgramData` is a variable that
 * any program sets for those that it starts, so that the folder is the one that Windows gives it on the drive of the
 * system.
 *
 * @module
 */

import type { DiskPort } from "../../core/ports/disk.ts";
import { joinPath, resolvePath } from "../../core/sandbox/resolve_path.ts";
import type { ConfigurationPlaces, PlacesOptions } from "./places.ts";
import { variablesOf } from "./variables.ts";

/** What the variables do not say. */
export interface PlaceFacts {
  /** Home folder of the user. */
  readonly home: string;
  /** The disk, for the working directory of the process and the syntax of its paths. */
  readonly disk: Pick<DiskPort, "directory" | "platform">;
}

/** The places. Reads no file. */
export function findPlaces(
  { environment, platform, file, directory }: PlacesOptions,
  { home: user, disk }: PlaceFacts,
): ConfigurationPlaces {
  const variable = variablesOf({ environment, platform });
  const home = joinPath(user, ".codex", disk);
  const shared = (name: string): string =>
    platform === "windows"
      ? joinPath(systemDrive(variable("SystemDrive")), `ProgramData\\OpenAI\\Codex\\${name}`, { platform })
      : `/etc/codex/${name}`;
  const here = { directory: disk.directory(), platform: disk.platform };
  return {
    administrator: shared("managed_config.toml"),
    system: shared("config.toml"),
    user: resolvePath(file ?? joinPath(variable("CODEX_HOME") || home, "config.toml", disk), here),
    named: file !== undefined,
    home,
    directory: directory ?? here.directory,
  };
}

/** The home folder that the variables name; `null`: the system has to be asked. */
export function homeOf(facts: Pick<PlacesOptions, "environment" | "platform">): string | null {
  const variable = variablesOf(facts);
  return variable("HOME") || variable("USERPROFILE") || null;
}

/** The root of a drive and nothing longer: a folder could be a workspace. */
function systemDrive(named: string | undefined): string {
  return named !== undefined && /^[a-z]:$/i.test(named) ? `${named}\\` : "C:\\";
}
