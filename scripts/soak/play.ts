/**
 * The soak from its beginning to its end: ten users at twenty servers, with a rest after a third of the time, at the
 * half, and at the end. In each rest everybody stops, and the host is measured.
 *
 * What is compared with what is decided in `verdict.ts`.
 *
 * @module
 */

import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { childrenOf } from "../../tests/fixtures/faults/proc.ts";
import { Actor } from "./actor.ts";
import { type Backdrop, buildBackdrop } from "./backdrop.ts";
import { createDice } from "./dice.ts";
import { type Figures, measure, mebibytes, processesOf } from "./gauge.ts";
import { Governor } from "./governor.ts";
import { LedgerReader } from "./ledger_reader.ts";
import { checkLists } from "./list_check.ts";
import { createAnswers } from "./question.ts";
import type { Register } from "./register.ts";
import { ACCOUNTS, InForce, Intermission, patiently, type Stage, usualPlacements, wait } from "./stage.ts";

/** How long, and with which decisions. */
export interface PlayOptions {
  readonly seconds: number;
  readonly seed: number;
  readonly register: Register;
  /** Told how it goes. */
  readonly tell: (line: string) => void;
}

/** What was found, besides what the register knows. */
export interface Played {
  /** With nothing connected: after a third of the time, and at the end. */
  readonly bare: readonly [first: Figures, last: Figures];
  /** With everything connected: at the half, and at the end, over connections that were made after the third. */
  readonly full: readonly [first: Figures, last: Figures];
  /** Resident bytes, the median of the second quarter of the time and that of the last one. */
  readonly resident: readonly [first: number, last: number];
  /** Processes that were left when the host was closed. */
  readonly leftOfHost: number;
  /** Processes that were left in the end. */
  readonly left: number;
  /** Whether something of an enterprise server stood in the file of a catalog. */
  readonly cached: boolean;
}

const USERS = 10;

/** With nothing connected: the world, and the watchdog of the host. */
const BARE_CHILDREN = 2;

/** Plays. Rejects when somebody does not stop. */
export async function play(options: PlayOptions): Promise<Played> {
  const { register, seed } = options;
  const run = crypto.randomUUID();
  const actors: Actor[] = [];
  addEventListener("unhandledrejection", (event) => {
    event.preventDefault();
    register.count("unhandled");
    register.violate(`a rejection was not handled: ${event.reason?.stack ?? event.reason}`);
  });
  const changeTurn = (id: string): boolean => {
    const actor = actors.find(({ thread }) => thread.id === id);
    actor?.changeTurn();
    return actor !== undefined;
  };
  const answers = createAnswers({ register, dice: createDice(seed, 1_000), changeTurn });
  const backdrop = await buildBackdrop(run, answers);
  try {
    for (const name of Object.keys(ACCOUNTS)) await backdrop.signIn(name);
    const found = await perform(backdrop, { ...options, actors });
    const leftOfHost = await patiently(() => childrenOf(Deno.pid).length - 1, (left) => left === 0);
    await backdrop.strike();
    const left = await patiently(() => processesOf(run).length, (count) => count === 0);
    return { ...found, leftOfHost, left };
  } catch (error) {
    await backdrop.host.close();
    await backdrop.strike();
    throw error;
  }
}

async function perform(
  backdrop: Backdrop,
  { seconds, seed, register, tell, actors }: PlayOptions & { readonly actors: Actor[] },
): Promise<Omit<Played, "left" | "leftOfHost">> {
  const { host } = backdrop;
  const intermission = new Intermission(USERS + 1);
  const stage: Stage = { ...backdrop, register, intermission, inForce: new InForce(backdrop.placements) };
  const governor = new Governor(stage, {
    ...backdrop,
    dice: createDice(seed, 999),
    forgetUses: () => actors.forEach((actor) => actor.forgetUses()),
  });
  for (let number = 0; number < USERS; number += 1) {
    actors.push(new Actor(stage, { dice: createDice(seed, number), number }));
  }
  const reader = new LedgerReader(backdrop.places.ledger);
  const residents: number[] = [];
  const look = (): void => {
    for (const arrival of reader.take()) register.arrive(arrival);
    register.sweep();
    residents.push(Deno.memoryUsage().rss);
  };
  const ticking = setInterval(look, 500);
  await host.connect();
  const everybody = Promise.all([...actors, governor].map((one) => one.act()));
  const started = performance.now();
  const at = (part: number): Promise<void> =>
    wait(Math.max(0, started + seconds * part * 1_000 - performance.now()));
  const rest = async <Found>(work: () => Promise<Found>): Promise<Found> => {
    await Promise.race([intermission.call(), everybody]);
    await wait(300); // what arrived is written down by then
    look();
    return await work();
  };
  const goOn = async (): Promise<void> => {
    await governor.apply(usualPlacements(stage.inForce.now));
    intermission.end();
  };

  await at(1 / 3);
  const bareFirst = await rest(bare);
  await goOn();
  await at(1 / 2);
  const fullFirst = await rest(full);
  await goOn();
  await at(1);
  const [fullLast, bareLast] = await rest(async () => [await full(), await bare()] as const);
  intermission.over = true;
  intermission.end();
  await everybody;
  await host.close();
  look();
  clearInterval(ticking);
  const cached = await holdsEnterpriseTools(backdrop.catalogs);
  const quarter = (from: number): number => medianOf(residents, from / 4);
  return {
    bare: [bareFirst, bareLast],
    full: [fullFirst, fullLast],
    resident: [quarter(1), quarter(3)],
    cached,
  };

  /** Nothing is configured, and the threads stay open. */
  async function bare(): Promise<Figures> {
    await governor.apply(new Map());
    await patiently(() => childrenOf(Deno.pid).length, (count) => count <= BARE_CHILDREN);
    return await figures("nothing connected");
  }

  /** Everything is configured, connected and listed. */
  async function full(): Promise<Figures> {
    await governor.apply(usualPlacements(stage.inForce.now));
    await host.connect();
    await Promise.all(actors.map(({ thread }) => thread.tools("notes").catch(() => [])));
    await checkLists(stage);
    return await figures("everything connected");
  }

  async function figures(when: string): Promise<Figures> {
    const found = await measure();
    const { heap, resident, sockets, descriptors, children } = found;
    tell(
      `${when}: heap ${mebibytes(heap)}, resident ${mebibytes(resident)}, ${descriptors} descriptors, ` +
        `${sockets} sockets, ${children} children; ${register.tally.get("calls") ?? 0} calls, ` +
        `${register.violated} violations so far`,
    );
    return found;
  }
}

/** The median of a quarter of `values` that begins at this part of them. */
function medianOf(values: readonly number[], part: number): number {
  const begin = Math.floor(values.length * part);
  const some = values.slice(begin, begin + Math.ceil(values.length / 4)).toSorted((a, b) => a - b);
  return some[Math.floor(some.length / 2)] ?? 0;
}

async function holdsEnterpriseTools(folder: string): Promise<boolean> {
  const names = await readdir(folder);
  const texts = await Promise.all(names.map((name) => readFile(join(folder, name), "utf8")));
  return texts.some((text) => text.includes("whoami"));
}
