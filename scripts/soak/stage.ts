/**
 * What everybody on the soak's stage shares: the host, the register of calls, the configuration in force, and a pause
 * in which nothing is issued.
 *
 * @module
 */

import type { Host } from "../../adapters/mcp/host/host.ts";
import { FLEET, type FleetServer, isUsable, type Placement } from "./fleet.ts";
import type { Register } from "./register.ts";
import type { World } from "./world_client.ts";

/** The accounts of the test bed, by their names there. */
export const ACCOUNTS: Readonly<Record<string, { readonly user: string; readonly workspace: string }>> = {
  "alice": { user: "user-alice", workspace: "acme" },
  "bob": { user: "user-bob", workspace: "acme" },
  "alice-globex": { user: "user-alice-globex", workspace: "globex" },
};

/** What is shared. */
export interface Stage {
  readonly host: Host;
  readonly world: World;
  readonly register: Register;
  readonly intermission: Intermission;
  readonly inForce: InForce;
  /** Real paths of launchers, and their folders. */
  readonly launchers: readonly { readonly executable: string; readonly folder: string }[];
  /** Signs an account in. */
  readonly signIn: (account: string) => Promise<void>;
}

/** Milliseconds in which everybody has to stop: longer than any call may take, with its grace. */
const LONGEST_STOP_MS = 90_000;

/** A pause in which nothing is issued. */
export class Intermission {
  readonly #cast: number;
  #waiting = 0;
  #curtain: PromiseWithResolvers<void> | null = null;
  #everybody: PromiseWithResolvers<void> | null = null;
  /** Set when everybody may go home. */
  over = false;

  /** Expects `cast` loops to stop. */
  constructor(cast: number) {
    this.#cast = cast;
  }

  /** Whether one was called. */
  get called(): boolean {
    return this.#curtain !== null;
  }

  /** Calls it. Resolves when everybody has stopped, and rejects when that takes too long. */
  async call(): Promise<void> {
    this.#curtain = Promise.withResolvers();
    this.#everybody = Promise.withResolvers();
    if (this.#waiting === this.#cast) this.#everybody.resolve();
    const late = setTimeout(
      () => this.#everybody?.reject(new Error("Somebody does not stop: a call of theirs does not end")),
      LONGEST_STOP_MS,
    );
    await this.#everybody.promise;
    clearTimeout(late);
  }

  /** Ends it. */
  end(): void {
    this.#curtain?.resolve();
    this.#curtain = null;
  }

  /** Waits while there is one. Nothing of who waits may be under way. */
  async pass(): Promise<void> {
    while (this.#curtain !== null) {
      this.#waiting += 1;
      if (this.#waiting === this.#cast) this.#everybody?.resolve();
      await this.#curtain.promise;
      this.#waiting -= 1;
    }
  }
}

/** What the host's configuration says now, and what it may say already. */
export class InForce {
  #now: ReadonlyMap<string, Placement>;
  #next: ReadonlyMap<string, Placement> | null = null;
  #rejected = false;

  /** Begins with what the host has read. */
  constructor(placements: ReadonlyMap<string, Placement>) {
    this.#now = placements;
  }

  /** What is in force. */
  get now(): ReadonlyMap<string, Placement> {
    return this.#now;
  }

  /** The host is about to read this. `null`: what it has to reject. */
  begin(placements: ReadonlyMap<string, Placement> | null): void {
    this.#next = placements ?? this.#now;
  }

  /** It has read it. */
  end(options: { readonly rejected: boolean }): void {
    this.#now = this.#next ?? this.#now;
    this.#next = null;
    this.#rejected = options.rejected;
  }

  /** The configurations that a call may go to; none: it has to be refused. */
  revisionsOf({ name, kind }: FleetServer): ReadonlySet<string> {
    const known = [this.#now, ...(this.#next === null ? [] : [this.#next])].flatMap((one) => {
      const placement = one.get(name);
      return placement !== undefined && isUsable(placement.standing) ? [placement] : [];
    });
    return new Set(known.map(({ revision }) => kind === "enterprise" ? "bed" : String(revision)));
  }

  /** Why a call has to be refused, whoever makes it; `null`: it does not. */
  refusalOf(server: FleetServer, tool: string): string | null {
    if (this.revisionsOf(server).size === 0) return "the configuration does not offer the server";
    if (this.#next !== null) return null;
    if (server.kind === "enterprise" && this.#rejected) return "the configuration was rejected";
    const narrow = this.#now.get(server.name)?.standing === "narrow";
    return narrow && tool === "wait" ? "the configuration disables the tool" : null;
  }
}

/** All servers, as they stand usually. */
export function usualPlacements(before?: ReadonlyMap<string, Placement>): ReadonlyMap<string, Placement> {
  return new Map(FLEET.map(({ name }) => {
    return [name, { standing: "usual", revision: before?.get(name)?.revision ?? 1 }];
  }));
}

/** Waits. */
export function wait(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}

/** Looks again until it is as expected, or half a minute is over. */
export async function patiently<Value>(
  look: () => Value | Promise<Value>,
  expected: (value: Value) => boolean,
): Promise<Value> {
  let value = await look();
  for (let waited = 0; waited < 30_000 && !expected(value); waited += 250) {
    await wait(250);
    value = await look();
  }
  return value;
}
