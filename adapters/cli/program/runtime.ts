/**
 * What the command line needs of the program that it is: one entry file a runtime provides it.
 *
 * @module
 */

import type { DiskPort } from "../../../core/ports/disk.ts";
import type { FilePort } from "../../../core/ports/file.ts";
import type { ProcessPort, SpawnRequest } from "../../../core/ports/process.ts";
import type { Platform } from "../../../core/sandbox/path.ts";
import type { SendingRuntime } from "../../http/transport/sending.ts";
import type { RunnerPolicy, SandboxRunner } from "../../sandbox/runner.ts";
import type { CliConsole } from "../terminal/console.ts";
import type { SecretStore } from "./keyring_secrets.ts";

/** A runtime, as the command line sees it. */
export interface CliRuntime {
  /** Path by which the program was started, as it was given; absent: it is no installed program. */
  readonly program?: string | undefined;
  /** Words after the program's own name. */
  readonly args: readonly string[];
  /** Environment of this process. */
  readonly environment: Readonly<Record<string, string>>;
  /** Whose paths these are. */
  readonly platform: Platform;
  /** Starts processes. */
  readonly processes: ProcessPort;
  /** Looks at files. */
  readonly files: FilePort;
  /** Reads files and folders; absent: with Node's functions. */
  readonly disk?: DiskPort;
  /** The streams of this process where a command needs nothing else of Node's; absent: Node's. */
  readonly console?: CliConsole;
  /** Creates the runner of a server. Loads what runs sandboxes. */
  readonly createSandboxRunner: (policy: RunnerPolicy) => Promise<SandboxRunner>;
  /** Opens the system's keyring and what lies in it. Loads both; reads nothing. */
  readonly openSecrets: () => Promise<SecretStore>;
  /** How this program's `fetch` sends, with the variables that `environment` reads. */
  readonly createSending: (environment: (name: string) => string | undefined) => SendingRuntime;
  /** Starts this very command line again, with other words. */
  readonly again: (args: readonly string[]) => SpawnRequest;
  /** Absolute path of the runtime's own executable and the arguments that make it run a piece of JavaScript. */
  readonly evaluate: (code: string) => readonly string[];
}
