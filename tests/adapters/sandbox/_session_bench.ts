/**
 * A starter whose processes are written by the test, and the calls that use their sessions.
 *
 * @module
 */

import type {
  CommandStarter,
  SessionUse,
  StartedCommand,
  StartedProcess,
  StartOptions,
} from "../../../adapters/sandbox/session_options.ts";
import type { CapturedAuthority } from "../../../core/sandbox/authority.ts";
import { captureAuthority } from "../../../core/sandbox/capture.ts";
import { SandboxError } from "../../../core/errors.ts";
import type { ProcessExit } from "../../../core/ports/process.ts";

/** A process that does what the test says. */
export class ScriptedProcess implements StartedProcess {
  /** What it was sent. */
  readonly received: string[] = [];
  /** How it was started. */
  readonly options: StartOptions;
  /** Authority that it was started under. */
  readonly authority: CapturedAuthority;
  readonly ended: Promise<ProcessExit>;
  /** Whether its input is read: at once, never, or it is closed. */
  input: "read" | "ignored" | "closed" = "read";
  /** How many times it was told to end. */
  ends = 0;
  #finish: (exit: ProcessExit) => void = () => {};
  #ending: Promise<void> = Promise.resolve();

  constructor(authority: CapturedAuthority, options: StartOptions) {
    this.authority = authority;
    this.options = options;
    this.ended = new Promise((resolve) => this.#finish = resolve);
  }

  write(bytes: Uint8Array): Promise<boolean> {
    if (this.input === "closed") return Promise.resolve(false);
    if (this.input === "ignored") return new Promise(() => {});
    this.received.push(new TextDecoder().decode(bytes));
    return Promise.resolve(true);
  }

  async end(): Promise<ProcessExit> {
    this.ends++;
    await this.#ending;
    this.exit({ exitCode: null, signal: "SIGTERM" });
    return await this.ended;
  }

  /** Makes it take until `until` to end when it is told to. */
  linger(until: Promise<void>): void {
    this.#ending = until;
  }

  /** Writes to standard output or error. */
  print(text: string, stream: "stdout" | "stderr" = "stdout"): void {
    this.options.onOutput?.(stream, new TextEncoder().encode(text));
  }

  /** Ends by itself. */
  exit(exit: ProcessExit): void {
    this.#finish(exit);
  }
}

/** Starts scripted processes; admits what the test lets it. */
export class ScriptedStarter implements CommandStarter {
  readonly processes: ScriptedProcess[] = [];
  /** What happened, in order. */
  readonly steps: string[] = [];
  modifiers: readonly string[] = [];
  /** State texts that are not admitted. */
  readonly refused: Set<string> = new Set();
  /** Waited for before a process is there. */
  starting: Promise<void> = Promise.resolve();

  admit(
    authority: CapturedAuthority,
  ): Promise<StartedCommand & { request: { executable: string; args: string[] } }> {
    this.steps.push(`admit ${authority.stateText}`);
    if (this.refused.has(authority.stateText)) {
      return Promise.reject(new SandboxError("LAUNCHER_INVALID", "Cannot use it"));
    }
    const process = new ScriptedProcess(authority, {});
    const request = { executable: "/codex", args: [] };
    return Promise.resolve({ process, request, sandboxed: true, modifiers: this.modifiers });
  }

  async start(
    authority: CapturedAuthority,
    _command: readonly string[],
    options: StartOptions = {},
  ): Promise<StartedCommand> {
    await this.admit(authority);
    await this.starting;
    this.steps.push(`start ${authority.stateText}`);
    const process = new ScriptedProcess(authority, options);
    void process.ended.then(() => this.steps.push(`ended ${authority.stateText}`));
    this.processes.push(process);
    return { process, sandboxed: true, modifiers: this.modifiers };
  }

  /** The process that was started last. */
  get last(): ScriptedProcess {
    const last = this.processes.at(-1);
    if (last === undefined) throw new Error("nothing was started");
    return last;
  }
}

/** A call of `thread` under a state and a launcher. */
export function call(state: string, thread: string = "thread", launcher: string = "/codex"): SessionUse {
  const meta = {
    "codex/sandbox-state": { name: state },
    "codex/sandbox-launcher": { codexExecutable: launcher },
  };
  return { authority: captureAuthority(meta, { transport: "stdio" }), thread };
}

/** Text of the state of such a call. */
export function textOf(state: string): string {
  return JSON.stringify({ name: state });
}
