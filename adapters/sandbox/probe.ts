/**
 * The probe: is this executable a Codex CLI that can sandbox? And is it still the one that was asked?
 *
 * One run of `<executable> sandbox --sandbox-state-json '{}' --help` decides, once for each content of the file.
 * It proves a capability, not an identity: whoever can replace the file before its first use is trusted.
 * Whether a path may be a launcher at all is `core/sandbox/launcher.ts`'s concern.
 *
 * @module
 */

import { quote, SandboxError } from "../../core/errors.ts";
import type { FileIdentity, FilePort } from "../../core/ports/file.ts";
import type { ProcessPort } from "../../core/ports/process.ts";
import { runProcess } from "./run.ts";

/** The probe's arguments, from Codex itself. */
const PROBE_ARGS: readonly string[] = ["sandbox", "--sandbox-state-json", "{}", "--help"];

/** Bytes of the help text that are kept: none is read. */
const PROBE_OUTPUT_BYTES = 4_096;

/** What a probe works with. */
export interface LauncherProbeOptions {
  /** Runs the launcher. */
  readonly processes: ProcessPort;
  /** Recognises it. */
  readonly files: FilePort;
  /** The environment that launchers get. */
  readonly environment: Readonly<Record<string, string>>;
  /** Milliseconds that one probe may take; absent: 10,000. */
  readonly timeoutMs?: number | undefined;
}

/** What a probe found: the launcher's identity, or what is wrong with it, to follow the path in a sentence. */
export type ProbeVerdict =
  | { readonly identity: FileIdentity; readonly flaw?: never }
  | { readonly identity?: never; readonly flaw: string };

/** Probes launchers, each content of a file once, whoever asks and however many at a time. */
export class LauncherProbe {
  readonly #options: LauncherProbeOptions;
  readonly #verdicts = new Map<string, Promise<boolean>>();
  readonly #firstUse = new Map<string, string>();

  /** Creates a probe with nothing in its cache. */
  constructor(options: LauncherProbeOptions) {
    this.#options = options;
  }

  /** Looks at `path` and runs it unless this content of it is known. Never throws for what it finds. */
  async inspect(path: string): Promise<ProbeVerdict> {
    const identity = await this.#options.files.identify(path);
    if (identity === null) return { flaw: "does not exist or cannot be looked at" };
    if (identity.kind !== "file") return { flaw: "is not a file" };
    const key = `${identity.fingerprint}\0${path}`;
    const verdict = this.#verdicts.get(key) ?? this.#start(key, path);
    return await verdict.catch(() => false)
      ? { identity }
      : { flaw: "did not answer as a Codex CLI with a sandbox command" };
  }

  /**
   * Admits `path` for use: it answers the probe, and it is the file that was used first under that name.
   *
   * @throws {SandboxError} `LAUNCHER_INVALID` when it is not there, is no Codex CLI, or was replaced.
   */
  async require(path: string): Promise<void> {
    const { identity, flaw } = await this.inspect(path);
    if (identity === undefined) throw unusable(path, flaw);
    const first = this.#firstUse.get(path) ?? identity.fingerprint;
    this.#firstUse.set(path, first);
    if (first !== identity.fingerprint) {
      throw unusable(path, "changed on disk since its first use; restart this server to accept it");
    }
  }

  #start(key: string, path: string): Promise<boolean> {
    const verdict = this.#run(path);
    this.#verdicts.set(key, verdict);
    // only an answer is worth keeping: a machine that was too busy to give one may give it the next time
    verdict.catch(() => this.#verdicts.delete(key));
    return verdict;
  }

  async #run(path: string): Promise<boolean> {
    const { processes, environment, timeoutMs = 10_000 } = this.#options;
    const outcome = await runProcess(processes, { executable: path, args: PROBE_ARGS }, {
      environment,
      timeoutMs,
      graceMs: 0,
      maxOutputBytes: PROBE_OUTPUT_BYTES,
    });
    if (outcome.timedOut) throw new Error("no answer in time");
    return outcome.exitCode === 0;
  }
}

function unusable(path: string, flaw: string): SandboxError {
  return new SandboxError(
    "LAUNCHER_INVALID",
    `Cannot use the launcher ${quote(path)}: it ${flaw}; nothing was run.`,
  );
}
