/**
 * One of the soak's ten users: it has a thread, calls tools, gives some calls up, and changes what its thread stands
 * for. Whatever it does, it first says to the register what has to come of it.
 *
 * @module
 */

import type { ToolCall } from "../../adapters/mcp/host/call/tool_call.ts";
import type { Thread } from "../../adapters/mcp/host/thread/thread.ts";
import { CodexMcpError } from "../../core/errors.ts";
import { TICKET_KEY } from "../../tests/fixtures/soak/arrival.ts";
import type { Dice } from "./dice.ts";
import { FLEET, type FleetServer } from "./fleet.ts";
import { describe, expectedLauncher, GRACE_MS, type Issued, type SoakTurn } from "./register.ts";
import { checkResult } from "./result_check.ts";
import { ACCOUNTS, type Stage, wait } from "./stage.ts";

/** Calls of one user at a time. */
const AT_ONCE = 3;

/** What the user knows of its thread at an enterprise server. */
interface Membership {
  /** A call was answered since the account was last changed. */
  used: boolean;
  /** The account was changed after that, and nobody authorized the thread again. */
  revoked: boolean;
}

/** A user. */
export class Actor {
  readonly #stage: Stage;
  readonly #dice: Dice;
  readonly #number: number;
  readonly #members = new Map<string, Membership>();
  readonly #open = new Set<Promise<void>>();
  #thread: Thread;
  #account: string | null = null;
  #switches = 0;
  #turn: SoakTurn | null = null;
  #turns = 0;
  #lives = 1;

  /** Opens its thread. */
  constructor(stage: Stage, options: { readonly dice: Dice; readonly number: number }) {
    this.#stage = stage;
    this.#dice = options.dice;
    this.#number = options.number;
    this.#thread = this.#openThread();
  }

  /** Its thread. */
  get thread(): Thread {
    return this.#thread;
  }

  /** Forgets who was seen to be authorized: somebody signed in or out, or a configuration was rejected. */
  forgetUses(): void {
    for (const member of this.#members.values()) member.used = false;
  }

  /** Lets the thread's calls be issued under something else from now on. */
  changeTurn(): void {
    const before = this.#turn?.stateText ?? null;
    let next = this.#newTurn();
    // every state is another one, and two turns without any could be the same
    while (before === null && (next.turn?.stateText ?? null) === null) next = this.#newTurn();
    this.#stage.register.count("turns changed");
    this.#thread.setSandbox(next.given);
    this.#turn = next.turn;
    if (this.#dice.chance(20)) this.#call(this.#server("stdio")); // at once
  }

  /** Acts until the soak is over. */
  async act(): Promise<void> {
    const { intermission } = this.#stage;
    while (!intermission.over) {
      if (intermission.called) {
        await Promise.all(this.#open);
        await intermission.pass();
        continue;
      }
      await this.#step();
      if (this.#open.size >= AT_ONCE) await Promise.race(this.#open);
      await wait(50 + this.#dice.below(450));
    }
    await Promise.all(this.#open);
  }

  async #step(): Promise<void> {
    const what = this.#dice.weigh([
      ["call", 75],
      ["turn", 9],
      ["account", 4],
      ["reauthorize", 7],
      ["tools", 4],
      ["reopen", 1],
    ]);
    if (what === "call") this.#call(this.#server());
    if (what === "turn") this.changeTurn();
    if (what === "account") this.#changeAccount();
    if (what === "reauthorize") await this.#reauthorize();
    if (what === "tools") await this.#listTools();
    if (what === "reopen") await this.#reopen();
  }

  #server(kind?: FleetServer["kind"]): FleetServer {
    const servers = FLEET.filter((one) => kind === undefined || one.kind === kind);
    return this.#dice.weigh(servers.map((one) => [one, one.weight] as const));
  }

  #openThread(): Thread {
    const { turn, given } = this.#newTurn();
    this.#turn = turn;
    this.#account = this.#dice.pick(Object.keys(ACCOUNTS));
    this.#switches += 1;
    this.#members.clear();
    const account = ACCOUNTS[this.#account] ?? null;
    return this.#stage.host.openThread({ id: `t${this.#number}-${this.#lives++}`, account, sandbox: given });
  }

  async #reopen(): Promise<void> {
    const before = this.#thread;
    this.#stage.register.count("threads reopened");
    const closing = before.close();
    this.#thread = this.#openThread();
    await closing;
  }

  #newTurn(): { readonly turn: SoakTurn | null; readonly given: Parameters<Thread["setSandbox"]>[0] } {
    const dice = this.#dice;
    this.#turns += 1;
    if (dice.chance(8)) return { turn: null, given: null };
    const environment = dice.chance(80) ? "local" as const : "farm" as const;
    const fill = dice.pick(["", "y".repeat(dice.below(300)), "z".repeat(dice.below(6_000))]);
    const mark = `t${this.#number}/${this.#turns}`;
    const stateText = dice.chance(5)
      ? null
      : `{"permissionProfile":{"type":"disabled"}, "mark":"${mark}", "n":9007199254740993, "z":-0.0,` +
        ` "fill":"${fill}","end":true}`;
    const named = dice.chance(25) ? null : dice.pick(this.#stage.launchers);
    const writable = named !== null && dice.chance(20);
    const given = {
      environment,
      ...stateText === null ? {} : { stateText },
      ...named === null ? {} : { launcher: named.executable },
      ...writable ? { writableRoots: [named.folder] } : {},
    };
    return { turn: { environment, stateText, launcher: writable ? null : named?.executable ?? null }, given };
  }

  #changeAccount(): void {
    const account = this.#dice.pick([...Object.keys(ACCOUNTS), null]);
    this.#thread.setAccount(account === null ? null : ACCOUNTS[account] ?? null);
    if (account === this.#account) return;
    this.#account = account;
    this.#switches += 1;
    this.#stage.register.count("accounts switched");
    for (const member of this.#members.values()) {
      member.revoked ||= member.used;
      member.used = false;
    }
    if (this.#dice.chance(50)) this.#call(this.#server("enterprise")); // at once
  }

  async #reauthorize(): Promise<void> {
    const { name } = this.#server("enterprise");
    const member = this.#members.get(name);
    if (member !== undefined) member.revoked = false;
    try {
      const done = await this.#thread.reauthorize(name);
      this.#stage.register.count(done ? "reauthorized" : "not reauthorized");
    } catch (error) {
      this.#expectCoded("reauthorizing", error);
    }
  }

  async #listTools(): Promise<void> {
    const server = this.#server();
    const { register, inForce } = this.#stage;
    const started = performance.now();
    const timeoutMs = 25_000; // of the configuration
    const usable = inForce.revisionsOf(server).size > 0;
    try {
      const tools = await this.#thread.tools(server.name, { refresh: this.#dice.chance(30) });
      const expected = server.kind === "enterprise" ? "whoami" : "note";
      const found = tools.some(({ name }) => name === expected);
      register.count("lists");
      register.require(found && usable, () => `the list of ${server.name} is not what it should be`);
    } catch (error) {
      this.#expectCoded("listing tools", error);
    }
    const late = performance.now() - started > timeoutMs + GRACE_MS;
    register.require(!late, () => `the tools of ${server.name} were listed late`);
  }

  #expectCoded(what: string, error: unknown): void {
    const { register } = this.#stage;
    register.require(error instanceof CodexMcpError, () => `${what} ended with no error of ours: ${error}`);
  }

  #call(server: FleetServer): void {
    const dice = this.#dice;
    const { register, inForce } = this.#stage;
    const tool = dice.weigh(server.tools);
    const ticket = register.ticket();
    const endless = tool === "hang" || server.trait === "silent";
    const timeoutMs = endless ? 300 + dice.below(1_500) : dice.pick([8_000, 8_000, 12_000]);
    const size = tool === "big" ? dice.below(200_000) : tool.startsWith("flood") ? 200 : dice.below(5);
    const ms = tool === "block" ? dice.below(1_200) : tool === "wait" ? dice.below(800) : 0;
    const member = this.#members.get(server.name);
    const refused = inForce.refusalOf(server, tool) ??
      (member?.revoked ? "the account of its thread was changed" : null);
    const issued: Issued = {
      ticket,
      thread: this.#thread.id,
      server,
      tool,
      turn: this.#turn,
      account: this.#account,
      revisions: inForce.revisionsOf(server),
      refused,
      deadline: performance.now() + timeoutMs,
      changed: false,
      settled: null,
    };
    register.issue(issued);
    const given = new AbortController();
    const call = this.#thread.callTool(server.name, tool, { ticket, size, ms, text: String(ticket) }, {
      meta: {
        [TICKET_KEY]: ticket,
        ...(dice.chance(10) ? { "codex/sandbox-state": { stale: ticket } } : {}),
      },
      timeoutMs,
      signal: given.signal,
      onProgress: ({ message }) =>
        register.require(
          message === String(ticket),
          () => `${describe(issued)} heard of the progress of ${message}`,
        ),
    });
    if (dice.chance(15)) this.#giveUp(dice.chance(50) ? () => call.cancel() : () => given.abort());
    const work = this.#follow(issued, call).finally(() => this.#open.delete(work));
    this.#open.add(work);
  }

  #giveUp(end: () => void): void {
    this.#stage.register.count("given up");
    const timer = setTimeout(end, this.#dice.below(250));
    Deno.unrefTimer(timer);
  }

  async #follow(issued: Issued, call: ToolCall): Promise<void> {
    const { register } = this.#stage;
    const { thread, server } = issued;
    const switches = this.#switches;
    let error: unknown = null;
    try {
      checkResult(register, issued, await call);
      if (server.kind === "enterprise" && switches === this.#switches && thread === this.#thread.id) {
        const member = this.#members.get(server.name) ?? { used: false, revoked: false };
        member.used = true;
        this.#members.set(server.name, member);
      }
    } catch (thrown) {
      error = thrown;
    }
    register.settle(issued, error);
    const { sent } = call.authority;
    if (sent === null) return;
    // what the call says of itself is what it was issued under
    const launcher = sent.launcher === null || sent.launcher === expectedLauncher(issued);
    const state = sent.stateText === null || sent.stateText === issued.turn?.stateText;
    register.require(
      launcher && state,
      () => `${describe(issued)} says that it was sent under something else`,
    );
  }
}
