/**
 * A layer of configuration with what matters for ordinary servers: how its text was written, and whether it may name
 * servers although it is no host policy.
 *
 * What a layer is, and which are host policy, is decided in `layers/layer.ts`; the vocabulary of other
 * hosts in `foreign.ts`.
 *
 * @module
 */

import type { ConfigurationLayer } from "./layers/layer.ts";

/** One source of configuration. Every layer of `core/enterprise/config` is one. */
export interface ServerLayer extends ConfigurationLayer {
  /** How its text was written; absent: `"toml"`. Only JSON may be in the vocabulary of another host. */
  readonly format?: "toml" | "json";
  /**
   * Why a layer that is no host policy may name ordinary servers: the user's configuration trusts its project, or
   * somebody named the file. Never an enterprise server, and never one that host policy names. Absent: it may not.
   */
  readonly admitted?: "trusted-project" | "named-file";
}

/** What the placeholders in the files of other hosts mean. */
export interface PlaceholderValues {
  /** The variables of `${env:NAME}` and `${NAME}`; absent: none is set. */
  readonly environment?: Readonly<Record<string, string | undefined>>;
  /** The folder of `${workspaceFolder}`; absent: it is not known. */
  readonly workspace?: string;
  /** The folder of `${userHome}`; absent: it is not known. */
  readonly home?: string;
}
