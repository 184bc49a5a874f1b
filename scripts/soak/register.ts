/**
 * The soak's own word on every call: what it was issued under. What arrives at a server, what comes back to the caller,
 * and when, is compared with that, and whatever differs is a violation.
 *
 * @module
 */

import { CodexMcpError } from "../../core/errors.ts";
import type { Arrival } from "../../tests/fixtures/soak/arrival.ts";
import type { FleetServer } from "./fleet.ts";

/** What a turn of the soak selects. */
export interface SoakTurn {
  readonly environment: "local" | "farm";
  /** The state; `null`: there is none. */
  readonly stateText: string | null;
  /** The launcher as it may be sent; `null`: none may. */
  readonly launcher: string | null;
}

/** One call, as it was issued. */
export interface Issued {
  readonly ticket: number;
  readonly thread: string;
  readonly server: FleetServer;
  readonly tool: string;
  /** What its thread's turn selected; `null`: nothing. */
  readonly turn: SoakTurn | null;
  /** Its thread's account at the test bed; `null`: none. */
  readonly account: string | null;
  /** The configurations of the server that it may go to; none: it has to be refused. */
  readonly revisions: ReadonlySet<string>;
  /** Why it has to be refused; `null`: it does not. */
  readonly refused: string | null;
  /** When it has to be over. */
  readonly deadline: number;
  /** What it was issued under has changed since, and it may not be sent again. */
  changed: boolean;
  /** When it was over; `null`: it is not. */
  settled: number | null;
}

/** Milliseconds by which a call may be late: the machine does other work too. */
export const GRACE_MS = 20_000;

/** Milliseconds after its end for which a call is known. */
const KEPT_MS = 60_000;

/** Codes that no call of the soak may end with. */
const NEVER: readonly string[] = ["RESULT_INVALID", "JSON_MALFORMED", "STATE_INEXACT", "HOST_CLOSED"];

/** Knows every call. */
export class Register {
  /** How often what happened. */
  readonly tally: Map<string, number> = new Map();
  /** What must not be, the first of it. */
  readonly violations: string[] = [];
  readonly #calls = new Map<number, Issued>();
  #next = 1;
  #violated = 0;

  /** How many violations there were. */
  get violated(): number {
    return this.#violated;
  }

  /** The calls that are not over. */
  get open(): readonly Issued[] {
    return [...this.#calls.values()].filter(({ settled }) => settled === null);
  }

  /** The number of the next call. */
  ticket(): number {
    return this.#next++;
  }

  /** Takes a call that is about to be issued. */
  issue(call: Issued): void {
    this.#calls.set(call.ticket, call);
    this.count("calls");
  }

  /** A call that is known. */
  find(ticket: number | null): Issued | undefined {
    return ticket === null ? undefined : this.#calls.get(ticket);
  }

  /** Counts. */
  count(what: string): void {
    this.tally.set(what, (this.tally.get(what) ?? 0) + 1);
  }

  /** Notes what must not be. */
  violate(what: string): void {
    this.#violated += 1;
    if (this.violations.length < 40) this.violations.push(what.slice(0, 400));
  }

  /** Notes it unless `held`. */
  require(held: boolean, what: () => string): void {
    if (!held) this.violate(what());
  }

  /** A call is over. `error` is what it ended with; `null`: with a result that was looked at. */
  settle(call: Issued, error: unknown): void {
    const now = performance.now();
    call.settled = now;
    const what = describe(call);
    this.require(
      now <= call.deadline + GRACE_MS,
      () => `${what} ended ${Math.round(now - call.deadline)} ms late`,
    );
    if (error === null) {
      this.count("results");
      this.count(`answered ${call.server.name}`);
      this.require(
        call.refused === null,
        () => `${what} was answered although it had to be refused: ${call.refused}`,
      );
      this.require(!call.changed, () => `${what} was answered under an authority that had changed`);
      return;
    }
    if (!(error instanceof CodexMcpError)) {
      return this.violate(`${what} ended with no error of ours: ${error}`);
    }
    this.count(error.code);
    if (call.server.steady) this.count(`steady ${error.code}`);
    this.require(!NEVER.includes(error.code), () => `${what} ended with ${error.code}: ${error.message}`);
  }

  /** A call arrived at a server. */
  arrive(arrival: Arrival): void {
    const call = this.#calls.get(arrival.ticket ?? -1);
    this.count("arrivals");
    if (call === undefined) {
      return this.violate(`an unknown call arrived at ${arrival.server}: ${arrival.ticket}`);
    }
    const what = describe(call);
    const same = (name: string, found: unknown, expected: unknown): void =>
      this.require(
        found === expected,
        () => `${what} arrived with the ${name} ${found} in place of ${expected}`,
      );
    same("server", arrival.server, call.server.name);
    same("tool", arrival.tool, call.tool);
    same("ticket of its _meta", arrival.ticketInMeta, call.ticket);
    same("thread", arrival.thread, call.thread);
    const state = expectedState(call);
    for (const found of arrival.states) same("state", found, state);
    if (arrival.launcher !== null) same("launcher", arrival.launcher, expectedLauncher(call));
    this.count(arrival.launcher === null ? "without launcher" : "with launcher");
    this.count(state === null ? "without state" : "with state");
    if (arrival.account !== undefined) same("account", arrival.account, call.account);
    const known = call.revisions.has(arrival.revision);
    this.require(
      known,
      () => `${what} arrived at configuration ${arrival.revision}, not ${[...call.revisions]}`,
    );
    this.require(
      call.refused === null,
      () => `${what} arrived although it had to be refused: ${call.refused}`,
    );
    this.require(
      !(call.changed && arrival.answers),
      () => `${what} was sent again under a changed authority`,
    );
  }

  /** Looks for calls that should be over, and forgets those that were over long ago. */
  sweep(): void {
    const now = performance.now();
    for (const call of [...this.#calls.values()]) {
      if (call.settled !== null && now - call.settled > KEPT_MS) this.#calls.delete(call.ticket);
      if (call.settled !== null || now <= call.deadline + GRACE_MS) continue;
      this.violate(
        `${describe(call)} has not ended ${Math.round(now - call.deadline)} ms after its deadline`,
      );
      call.settled = now;
    }
  }
}

/** Which call it is, for people. */
export function describe({ ticket, thread, server, tool }: Issued): string {
  return `call ${ticket} of ${thread} to ${server.name}/${tool}`;
}

/** The state that has to arrive; `null`: none. Servers with an SDK see what it parsed. */
function expectedState({ server, turn }: Issued): string | null {
  if (server.accepts === "" || turn === null || turn.environment !== server.environment) return null;
  if (turn.stateText === null || server.made === "raw") return turn.stateText;
  return JSON.stringify(JSON.parse(turn.stateText));
}

/** The launcher that may arrive; `null`: none. */
export function expectedLauncher(call: Issued): string | null {
  const { server, turn } = call;
  const local = server.kind === "stdio" && server.environment === "local";
  return local && turn !== null && expectedState(call) !== null ? turn.launcher : null;
}
