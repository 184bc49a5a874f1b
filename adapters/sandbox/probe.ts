/**
 * The probe: does this executable know how Codex sandboxes? And is it still the one that was asked?
 *
 * One run of `<executable> sandbox --sandbox-state-json '{}' --help` decides, once for each content of the file.
 * It looks at an exit status, which any program can have: to name a launcher is to trust it.
 * Whether a path may be a launcher at all is `core/sandbox/launcher.ts`'s concern.
 *
 * @module
 */

import { quote, SandboxError } from "../../core/errors.ts";
import type { FileIdentity, FilePort } from "../../core/ports/file.ts";
import type { ProcessPort } from "../../core/ports/process.ts";
import { unlessAborted } from "../async/unless_aborted.ts";
import type { ProcessGuard } from "./guard.ts";
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
  /** Ends a probe that runs when this process is killed. */
  readonly guard?: ProcessGuard | undefined;
  /** Ends the probes that run when it aborts. */
  readonly signal?: AbortSignal | undefined;
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
  readonly #running = new Set<Promise<unknown>>();

  /** Creates a probe with nothing in its cache. */
  constructor(options: LauncherProbeOptions) {
    this.#options = options;
  }

  /**
   * Looks at `path` and runs it unless this content of it is known. Never throws for what it finds; rejects with the
   * reason of `signal` when that aborts first, and leaves the probe to others who wait for it.
   */
  async inspect(path: string, signal?: AbortSignal): Promise<ProbeVerdict> {
    const found = await this.#look(path);
    return found.identity === undefined
      ? found
      : await unlessAborted(() => this.#ask(path, found.identity), signal);
  }

  /**
   * Admits `path` for use: it is the file that was used first under that name, and answers the probe. One that took
   * the place of that file is not run, not even to be probed.
   *
   * @throws {SandboxError} `LAUNCHER_INVALID` when it is not there, is no Codex CLI, or was replaced.
   */
  async require(path: string, signal?: AbortSignal): Promise<void> {
    const found = await this.#look(path);
    if (found.identity === undefined) throw unusable(path, found.flaw);
    this.#requireFirst(path, found.identity);
    const { identity, flaw } = await unlessAborted(() => this.#ask(path, found.identity), signal);
    if (identity === undefined) throw unusable(path, flaw);
    this.#requireFirst(path, identity); // another call may have been first meanwhile
    for (const name of [path, identity.realPath]) this.#firstUse.set(name, identity.fingerprint);
  }

  /** Resolves when no probe runs, not even one that nobody waits for any more. */
  async settled(): Promise<void> {
    while (this.#running.size > 0) await Promise.all(this.#running);
  }

  /** Under its name and under its real path: neither another name nor another target makes a replacement new. */
  #requireFirst(path: string, { fingerprint, realPath }: FileIdentity): void {
    for (const name of [path, realPath]) {
      if ((this.#firstUse.get(name) ?? fingerprint) === fingerprint) continue;
      throw unusable(path, "changed on disk since its first use; restart this server to accept it");
    }
  }

  async #look(path: string): Promise<ProbeVerdict> {
    const identity = await this.#options.files.identify(path);
    if (identity === null) return { flaw: "does not exist or cannot be looked at" };
    return identity.kind === "file" ? { identity } : { flaw: "is not a file" };
  }

  async #ask(path: string, identity: FileIdentity): Promise<ProbeVerdict> {
    const key = `${identity.fingerprint}\0${path}`;
    const verdict = this.#verdicts.get(key) ?? this.#start(key, path, identity);
    return await verdict.catch(() => false)
      ? { identity }
      : { flaw: "did not answer as a Codex CLI with a sandbox command" };
  }

  #start(key: string, path: string, identity: FileIdentity): Promise<boolean> {
    const verdict = this.#run(path, identity);
    this.#verdicts.set(key, verdict);
    // only an answer is worth keeping: a machine that was too busy to give one may give it the next time
    const over = verdict.then(() => {}, () => void this.#verdicts.delete(key));
    this.#running.add(over);
    void over.then(() => this.#running.delete(over));
    return verdict;
  }

  async #run(path: string, { fingerprint }: FileIdentity): Promise<boolean> {
    const { processes, files, environment, timeoutMs = 10_000, guard, signal } = this.#options;
    const outcome = await runProcess(processes, { executable: path, args: PROBE_ARGS }, {
      environment,
      timeoutMs,
      graceMs: 0,
      maxOutputBytes: PROBE_OUTPUT_BYTES,
      ...(guard === undefined ? {} : { guard }),
      ...(signal === undefined ? {} : { signal }),
    });
    if (outcome.timedOut || outcome.cancelled) throw new Error("no answer in time");
    if ((await files.identify(path))?.fingerprint !== fingerprint) throw new Error("replaced meanwhile");
    return outcome.exitCode === 0;
  }
}

function unusable(path: string, flaw: string): SandboxError {
  return new SandboxError(
    "LAUNCHER_INVALID",
    `Cannot use the launcher ${quote(path)}: it ${flaw}; nothing was run.`,
  );
}
