/**
 * Where the files of Codex's own configuration are on this machine.
 *
 * How they are found is decided in `find_places.ts`, how the files are read in `codex_configuration.ts`.
 *
 * @module
 */

import { homedir } from "node:os";
import { DISK } from "../disk.ts";
import { findPlaces, homeOf } from "./find_places.ts";

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
export function codexPlaces(options: PlacesOptions): ConfigurationPlaces {
  return findPlaces(options, { home: homeOf(options) ?? homedir(), disk: DISK });
}
