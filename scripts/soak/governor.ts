/**
 * What happens around the soak's users: the configuration is changed and read again, tokens are revoked, people sign in
 * and out, servers forget and announce.
 *
 * @module
 */

import { writeFile } from "node:fs/promises";
import { CodexMcpError } from "../../core/errors.ts";
import type { Dice } from "./dice.ts";
import { configurationText, FLEET, type FleetPlaces, type Placement, type Standing } from "./fleet.ts";
import { ACCOUNTS, type Stage, usualPlacements, wait } from "./stage.ts";

/** What the governor governs with. */
export interface GovernorOptions {
  readonly dice: Dice;
  /** The file of the configuration. */
  readonly file: string;
  readonly places: FleetPlaces;
  /** The users forget who was seen to be authorized. */
  readonly forgetUses: () => void;
}

const VARIED: readonly (readonly [Standing, number])[] = [
  ["usual", 5],
  ["other-times", 2],
  ["narrow", 2],
  ["off", 1],
  ["faulty", 1],
  ["absent", 3],
];

/** Governs. */
export class Governor {
  readonly #stage: Stage;
  readonly #options: GovernorOptions;

  /** Nothing has happened yet. */
  constructor(stage: Stage, options: GovernorOptions) {
    this.#stage = stage;
    this.#options = options;
  }

  /** Acts until the soak is over. */
  async act(): Promise<void> {
    const { intermission } = this.#stage;
    while (!intermission.over) {
      await intermission.pass();
      if (intermission.over) return;
      await this.#step();
      for (let waited = 0; waited < 1_000 && !intermission.called; waited += 100) await wait(100);
    }
  }

  /** Has the host read this. */
  async apply(placements: ReadonlyMap<string, Placement>): Promise<void> {
    const { host, register, inForce } = this.#stage;
    inForce.begin(placements);
    await this.#write(configurationText(placements, this.#options.places));
    const outcome = await host.reload();
    inForce.end({ rejected: false });
    register.count("reloads");
    register.require(outcome.accepted, () => `a configuration was not accepted: ${JSON.stringify(outcome)}`);
  }

  async #step(): Promise<void> {
    const { dice } = this.#options;
    const { world, register, intermission } = this.#stage;
    const what = dice.weigh([
      ["vary", 10],
      ["garble", 1],
      ["revoke", 3],
      ["unauthorized", 3],
      ["announce", 2],
      ["forget", 1],
      ["sign in", 1],
      ["connect", 1],
    ]);
    register.count(what);
    if (what === "vary") await this.apply(this.#vary());
    if (what === "garble") await this.#garble();
    if (what === "revoke") await world.order({ kind: "revoke", name: dice.pick(Object.keys(ACCOUNTS)) });
    if (what === "unauthorized" || what === "announce" || what === "forget") {
      await world.order({ kind: what });
    }
    if (what === "sign in") await this.#signInAgain();
    if (what === "connect" && !intermission.called) await this.#stage.host.connect();
  }

  /** Another configuration: up to three servers stand otherwise. */
  #vary(): ReadonlyMap<string, Placement> {
    const { dice } = this.#options;
    const next = new Map(this.#stage.inForce.now);
    const varied = FLEET.filter(({ varies }) => varies);
    for (let count = 1 + dice.below(3); count > 0; count -= 1) {
      const { name, made } = dice.pick(varied);
      const { standing, revision } = next.get(name) ?? { standing: "usual", revision: 1 };
      // servers with an SDK take long to start, and are changed more seldom
      const renewed = dice.chance(made === "raw" ? 60 : 25);
      next.set(
        name,
        renewed ? { standing, revision: revision + 1 } : { standing: dice.weigh(VARIED), revision },
      );
    }
    return next;
  }

  /** A configuration that nobody can read, and a moment later the one before. */
  async #garble(): Promise<void> {
    const { host, register, inForce, intermission } = this.#stage;
    const before = inForce.now;
    inForce.begin(null);
    await this.#write("[mcp_servers.broken\n");
    const outcome = await host.reload();
    this.#options.forgetUses();
    inForce.end({ rejected: true });
    register.require(!outcome.accepted, () => "a configuration that nobody can read was accepted");
    for (let waited = 0; waited < 500 && !intermission.called; waited += 100) await wait(100);
    await this.apply(before);
  }

  async #signInAgain(): Promise<void> {
    const { host, register, signIn } = this.#stage;
    const name = this.#options.dice.pick(Object.keys(ACCOUNTS));
    const account = ACCOUNTS[name] ?? null;
    this.#options.forgetUses();
    try {
      await host.signOut({ account });
      await signIn(name);
    } catch (error) {
      register.require(
        error instanceof CodexMcpError,
        () => `signing in ended with no error of ours: ${error}`,
      );
    }
    this.#options.forgetUses();
  }

  async #write(text: string): Promise<void> {
    await writeFile(this.#options.file, text, { mode: 0o600 });
  }
}

/** What the host begins with. */
export function firstConfiguration(places: FleetPlaces): {
  readonly text: string;
  readonly placements: ReadonlyMap<string, Placement>;
} {
  const placements = usualPlacements();
  return { text: configurationText(placements, places), placements };
}
