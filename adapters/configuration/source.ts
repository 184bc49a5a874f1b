/**
 * Where a host's configuration comes from: the port that `createHost` takes, and what it hands over.
 *
 * `codex_configuration.ts` and `file_configuration.ts` implement it; what the layers mean is decided in
 * `core/configuration`.
 *
 * @module
 */

import type { ServerLayer } from "../../core/configuration/layer.ts";
import type { ConfigurationFault } from "../../core/configuration/layers/fault.ts";

/** The text that a layer was parsed from. It may hold secrets: never print it. */
export interface LayerText {
  /** How it is written. */
  readonly format: "toml" | "json";
  /** The text. */
  readonly text: string;
}

/** Layers as they lie on the machine. */
export interface LoadedLayers {
  /** Tells the outcomes apart. */
  readonly kind: "loaded";
  /** The layers. They may hold secrets: never print them. */
  readonly layers: readonly ServerLayer[];
  /** The texts by the `source` of their layer, for line numbers; a layer may have none. */
  readonly texts: ReadonlyMap<string, LayerText>;
  /** Files that are not taken for what they were named as, or not read at all, a sentence each. */
  readonly remarks: readonly string[];
  /** Folder of the project that the configuration belongs to; `null`: none. */
  readonly workspace: string | null;
}

/** The configuration is there and breaks a rule, so that none of it counts. */
export interface RejectedConfiguration {
  /** Tells the outcomes apart. */
  readonly kind: "rejected";
  /** The first offence: which field or file, whose layer, which line. */
  readonly fault: ConfigurationFault;
  /** Every offence, the first one included. */
  readonly faults: readonly ConfigurationFault[];
}

/** The configuration, or a part that has to be there, could not be had this time. */
export interface UnavailableConfiguration {
  /** Tells the outcomes apart. */
  readonly kind: "unavailable";
  /** Name of the file or source. */
  readonly source: string;
  /** Why: a code of the system (`EACCES`, `ENOENT`, …) or one of `NO_FILE`, `TOO_LARGE`, `TIMEOUT`, `SOURCE_FAILED`. */
  readonly reason: string;
  /** The state and what to do, for people. */
  readonly message: string;
}

/** What loading gives. */
export type LoadOutcome = LoadedLayers | RejectedConfiguration | UnavailableConfiguration;

/** Something that is being watched. */
export interface Watching {
  /** Ends the watching. No notification comes after it. */
  close(): void;
}

/** Where configuration comes from. */
export interface ConfigurationSource {
  /**
   * Reads it anew. What is wrong with it is in the outcome.
   *
   * Rejects with the reason of `signal` when that is aborted; with nothing else.
   */
  load(signal?: AbortSignal): Promise<LoadOutcome>;
  /**
   * Calls `onChange` after what `load` reads has changed since the last `load`, and again after each further change. It
   * does not keep the process alive. Absent: it cannot be watched.
   */
  watch?(onChange: () => void): Watching;
}

/**
 * The configuration that an embedding program gives. It is the administrator's layer, above all others.
 *
 * A file has to be there. The callback gives a text in TOML or JSON, told apart by its content, within 30 seconds.
 */
export type ManagedSource =
  | { readonly path: string; readonly load?: never }
  | {
    readonly path?: never;
    /** Name for messages; absent: `"managed configuration"`. */
    readonly name?: string;
    /** Gives the text. What it throws is not shown: it may hold a secret. */
    load(signal: AbortSignal): Promise<string>;
    /** Calls `onChange` after the text has changed; absent: it cannot be watched. */
    watch?(onChange: () => void): Watching;
  };
