/**
 * What one case works on: a server of its own, stand-ins for `codex` around it, and calls with what they started.
 *
 * The server's `PATH` begins with a folder that holds a decoy (`decoys.ts` has all of them) and, once the command is
 * known that the tool starts, a stand-in for that too: so a command that runs without a launcher is noticed.
 *
 * @module
 */

import { access, mkdir, rm } from "node:fs/promises";
import { basename, join } from "node:path";
import { ProcessGuard } from "../../sandbox/guard.ts";
import { programNamed } from "../program/server_program.ts";
import { type CallMeta, type CallOutcome, isRefusal, metaTexts, textOf } from "./call.ts";
import { Connection } from "./connection.ts";
import { placeDecoys } from "./decoys.ts";
import { type Era, type Opened, openServer, paramsOf } from "./era.ts";
import { type CheckPlan, chooseCall, type ChosenCall, type ToolCall } from "./plan.ts";
import { createRecorder, type Launch, type Recorder } from "./recorder.ts";
import { type CheckStates, statesFor } from "./states.ts";
import { codexLaunches } from "./verdict.ts";

/** How a bench is set up. */
export interface BenchOptions {
  /** Era in which the server is opened. */
  readonly era: Era;
  /** The command that the tool is known to start; absent: not known yet. */
  readonly command?: readonly string[] | undefined;
}

/** Where the arguments get the path of a file that a command is to make. */
const MARKER = "{marker}";

/** How a call is made. */
export interface CallOptions {
  /** Milliseconds in which a tool that answers at once may still start its command; absent: 2,000. */
  readonly lateMs?: number;
}

const LATE_MS = 2_000;

/** One server and its surroundings. */
export class Bench {
  /** The stand-ins. */
  readonly recorder: Recorder;
  /** What can be sent. */
  readonly states: CheckStates;
  /** The launcher. */
  readonly launcher: string;
  /** The server's own description. */
  readonly opened: Opened;
  /** The call that starts a command. */
  readonly chosen: ChosenCall;
  readonly #connection: Connection;
  readonly #marker: string;
  readonly #release: () => Promise<void>;
  readonly #late: Launch[] = [];

  private constructor(parts: {
    readonly recorder: Recorder;
    readonly launcher: string;
    readonly opened: Opened;
    readonly plan: CheckPlan;
    readonly connection: Connection;
    readonly release: () => Promise<void>;
  }) {
    this.recorder = parts.recorder;
    this.launcher = parts.launcher;
    this.opened = parts.opened;
    this.states = statesFor({
      workspace: join(parts.recorder.folder, "workspace"),
      launcher: parts.launcher,
    });
    this.#connection = parts.connection;
    this.#marker = join(parts.recorder.folder, "marker");
    this.#release = parts.release;
    this.chosen = this.choose(parts.plan.call);
  }

  /**
   * Starts a server. Rejects with `NoAnswer`, the process port's error, a `UsageError` when no tool
   * fits, or the reason of the signal.
   */
  static async open(plan: CheckPlan, options: BenchOptions): Promise<Bench> {
    const { runtime, server, timeoutMs, signal } = plan;
    signal?.throwIfAborted();
    const { processes } = runtime;
    const recorder = await createRecorder();
    const guard = new ProcessGuard(processes);
    let connection: Connection | undefined;
    const interrupt = (): void => void connection?.close();
    const release = async (): Promise<void> => {
      signal?.removeEventListener("abort", interrupt);
      await connection?.close();
      await guard.close();
    };
    try {
      for (const folder of ["workspace", "elsewhere"]) await mkdir(join(recorder.folder, folder));
      const launcher = await recorder.place("launcher", { path: "bin/codex" });
      const environment = await placeDecoys(recorder, runtime.environment);
      await placeCommand(plan, recorder, options.command);
      connection = await Connection.open(server, { processes, guard, environment, timeoutMs });
      signal?.addEventListener("abort", interrupt);
      signal?.throwIfAborted();
      const opened = await openServer(connection, options.era);
      return new Bench({ recorder, launcher, opened, plan, connection, release });
    } catch (error) {
      await release();
      await recorder.remove();
      throw error;
    }
  }

  /** Fills in what a call leaves open, and the marker's path. */
  choose(call: ToolCall): ChosenCall {
    const { tool, argumentsText } = chooseCall(this.opened.tools, call);
    const path = JSON.stringify(this.#marker).slice(1, -1);
    return { tool, argumentsText: argumentsText.replaceAll(MARKER, () => path) };
  }

  /** Both keys and the launcher, as a host sends them. */
  full(state: string): CallMeta {
    return { state, alias: state, launcher: this.launcher };
  }

  /** Calls a tool, and gives back what that started. Rejects with `NoAnswer`. */
  async call(
    meta: CallMeta,
    { tool, argumentsText }: ChosenCall = this.chosen,
    { lateMs = LATE_MS }: CallOptions = {},
  ): Promise<CallOutcome> {
    // the command itself may be on its way still, when the launcher of the last call is not
    this.#late.push(...codexLaunches({ launches: await this.recorder.take() }));
    await rm(this.#marker, { force: true });
    const members = [`"name":${JSON.stringify(tool.name)}`, `"arguments":${argumentsText}`];
    const reply = await this.#connection.request(
      "tools/call",
      paramsOf(this.opened.era, members, [
        '"progressToken":"check"',
        '"threadId":"check"',
        ...metaTexts(meta),
      ]),
    );
    const refused = isRefusal(reply);
    let launches = await this.recorder.take();
    const end = performance.now() + lateMs;
    while (!refused && meta.launcher !== undefined && launches.length === 0 && performance.now() < end) {
      await new Promise((resolve) => setTimeout(resolve, 20));
      launches = await this.recorder.take();
    }
    const marked = await access(this.#marker).then(() => true, () => false);
    return { launches, marked, refused, reply, said: textOf(reply) };
  }

  /** Ends the server. Gives back what was started after the answer to the call that started it. */
  async close(): Promise<readonly Launch[]> {
    try {
      await this.#release();
      return [...this.#late, ...await this.recorder.take()];
    } finally {
      await this.recorder.remove();
    }
  }
}

/** Puts a stand-in before the program that the tool starts, where that is looked for on `PATH`. */
async function placeCommand(
  { runtime }: CheckPlan,
  recorder: Recorder,
  command: readonly string[] | undefined,
): Promise<void> {
  const name = command?.[0];
  if (name === undefined || name !== basename(name) || name === "codex") return;
  const found = await programNamed(runtime, [name]).catch(() => undefined);
  if (found === undefined) return;
  await recorder.place("command", { path: `path/${name}`, becomes: found.executable });
}
