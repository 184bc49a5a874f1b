/**
 * Binding: whose state and launcher a call to a server gets in a turn. Each server belongs to one execution
 * environment (`"local"`, or a named remote), and a turn selects one.
 *
 * | the call | state | launcher |
 * |---|---|---|
 * | outside of any turn | none: `no-turn` | none: `no-state` |
 * | to a server that did not opt in | none: `not-accepted` | none: `no-state` |
 * | to a server of an environment that the turn does not select | none: `other-environment` | none: `no-state` |
 * | in a turn without a state | none: `no-state` | none: `no-state` |
 * | over HTTP, loopback included | the turn's | none: `not-stdio` |
 * | over stdio, to the selected remote environment | the turn's | none: `remote-environment` |
 * | over stdio, to `"local"`, selected | the turn's | what {@linkcode launcherFor} says |
 *
 * The rows are looked at in this order. The state is opaque: a JSON value, its text, whatever the host carries. How it
 * gets into the `_meta` is `call_meta.ts`'s, which launcher is fit is `launcher.ts`'s.
 *
 * @module
 */

import { acceptsSandboxState } from "./capability.ts";
import { type LauncherFacts, launcherFor, type NoLauncherReason, type SandboxLauncher } from "./launcher.ts";

/** What a host knows about a server. */
export interface BindingServer {
  /** Name of its execution environment; `"local"` is the default one. */
  readonly environment: string;
  /** How it is reached. */
  readonly transport: "stdio" | "http";
}

/** What a turn brings with it. */
export interface BindingTurn<State> {
  /** Name of the execution environment that the turn selects. */
  readonly environment: string;
  /** The state of that environment; absent or `undefined`: there is none. `null` is a state. */
  readonly state?: State | undefined;
  /** What is known about the Codex CLI of this machine; absent: there is none. */
  readonly launcher?: Omit<LauncherFacts, "transport" | "environment"> | undefined;
}

/** What is bound. */
export interface BindingOptions<State> {
  /** The server. */
  readonly server: BindingServer;
  /** The server's capabilities, as it announced them. */
  readonly capabilities: unknown;
  /** The turn; `null`: the call belongs to none. */
  readonly turn: BindingTurn<State> | null;
}

/** Why no state is sent. */
export type NoStateReason =
  /** The call belongs to no turn. */
  | "no-turn"
  /** The server did not opt in. */
  | "not-accepted"
  /** The turn selects another environment than the server's. */
  | "other-environment"
  /** The turn has no state. */
  | "no-state";

/** The state to send, or why there is none. */
export type StateBinding<State> =
  | { readonly sent: true; readonly value: State }
  | { readonly sent: false; readonly reason: NoStateReason };

/** The launcher to send, or why there is none. */
export type LauncherBinding =
  | { readonly sent: true; readonly launcher: SandboxLauncher }
  | {
    readonly sent: false;
    /** Why, for programs. */
    readonly reason: NoLauncherReason | "no-state";
    /** Why and what to do, for people. */
    readonly message: string;
  };

/** What of a turn's authority a call carries. */
export interface Binding<State> {
  /** Name of the server's execution environment. */
  readonly environment: string;
  /** Whose state. */
  readonly state: StateBinding<State>;
  /** Which launcher; one is never sent without a state. */
  readonly launcher: LauncherBinding;
}

/**
 * Decides what of a turn's state and launcher a call carries. Names of environments are compared as they are.
 *
 * @example
 * ```ts
 * import { bindAuthority } from "@codex-mcp/runtime";
 *
 * const binding = bindAuthority({
 *   server: { environment: "build-farm", transport: "stdio" },
 *   capabilities: { experimental: { "codex/sandbox-state": {} } },
 *   turn: { environment: "local", state: { permissionProfile: { type: "disabled" } } },
 * });
 * console.log(binding.state); // { sent: false, reason: "other-environment" }
 * ```
 */
export function bindAuthority<State>(options: BindingOptions<State>): Binding<State> {
  const { server, turn } = options;
  const state = bindState(options);
  return { environment: server.environment, state, launcher: bindLauncher(server, { turn, state }) };
}

function bindState<State>({ server, capabilities, turn }: BindingOptions<State>): StateBinding<State> {
  const none = (reason: NoStateReason): StateBinding<State> => ({ sent: false, reason });
  if (turn === null) return none("no-turn");
  if (!acceptsSandboxState(capabilities)) return none("not-accepted");
  if (turn.environment !== server.environment) return none("other-environment");
  return turn.state === undefined ? none("no-state") : { sent: true, value: turn.state };
}

function bindLauncher<State>(
  { environment, transport }: BindingServer,
  { turn, state }: { readonly turn: BindingTurn<State> | null; readonly state: StateBinding<State> },
): LauncherBinding {
  if (turn === null || !state.sent) {
    return { sent: false, reason: "no-state", message: "A launcher goes with a state, and none is sent." };
  }
  const facts = turn.launcher ?? { probe: false, writableRoots: [] };
  const decision = launcherFor({ ...facts, transport, environment });
  return decision.launcher === undefined
    ? { sent: false, reason: decision.reason, message: decision.message }
    : { sent: true, launcher: decision.launcher };
}
