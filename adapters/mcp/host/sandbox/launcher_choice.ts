/**
 * Which of a turn's state and launcher a call carries. The launcher is named by its real path, and runs as a probe
 * once for each content of the file, when everything else speaks for it: neither its real path nor the one that was
 * given, nor any link between the two, may be where a sandboxed command can write.
 *
 * The decision is `core/sandbox/binding.ts`'s; this file finds out what it has to know.
 *
 * @module
 */

import type { FilePort } from "../../../../core/ports/file.ts";
import { bindAuthority, type Binding, type BindingServer } from "../../../../core/sandbox/binding.ts";
import type { Platform } from "../../../../core/sandbox/path.ts";
import type { LauncherProbe } from "../../../sandbox/probe.ts";
import { placesOnTheWay } from "./places_on_the_way.ts";
import type { CapturedTurn } from "./turn_sandbox.ts";

/** What finding out takes. */
export interface LauncherChoiceOptions {
  /** Finds the real path. */
  readonly files: FilePort;
  /** Asks an executable whether it is a Codex CLI. */
  readonly probe: LauncherProbe;
  /** Whose paths these are. */
  readonly platform: Platform;
}

/** What a call goes to. */
export interface LauncherUse {
  /** The server. */
  readonly server: BindingServer;
  /** Its capabilities, as it announced them. */
  readonly capabilities: unknown;
  /** Ends the waiting for a probe. */
  readonly signal: AbortSignal;
}

/** Decides what of a turn calls carry. */
export class LauncherChoice {
  readonly #options: LauncherChoiceOptions;

  /** Finds out nothing yet. */
  constructor(options: LauncherChoiceOptions) {
    this.#options = options;
  }

  /** What of `turn` a call carries. Rejects with the reason of the signal when that is aborted first. */
  async bind(turn: CapturedTurn | null, use: LauncherUse): Promise<Binding<string>> {
    const { probe, platform } = this.#options;
    const { server, capabilities, signal } = use;
    const bindWith = (executable: string | undefined, probed: boolean): Binding<string> =>
      bindAuthority({
        server,
        capabilities,
        turn: turn === null ? null : {
          environment: turn.environment,
          state: turn.stateText ?? undefined,
          launcher: {
            executable,
            probe: probed,
            writableRoots: turn.writableRoots,
            workspace: turn.workspace ?? undefined,
            platform,
          },
        },
      });
    if (turn === null || turn.launcher === null) return bindWith(undefined, false);
    // what a server gets no launcher for, none is looked at for
    const named = bindWith(turn.launcher, true);
    if (!named.state.sent || !named.launcher.sent && named.launcher.reason !== "path-unusable") return named;
    // whoever can change a link on the way chooses what is run
    for (const place of await placesOnTheWay(turn.launcher, { platform })) {
      const passed = bindWith(place, true);
      if (!passed.launcher.sent && passed.launcher.reason !== "path-unusable") return passed;
    }
    const executable = (await this.#options.files.identify(turn.launcher))?.realPath;
    const placed = bindWith(executable, true);
    if (executable === undefined || !placed.launcher.sent) return placed;
    const verdict = await probe.inspect(executable, signal);
    return bindWith(executable, verdict.identity !== undefined);
  }
}
