/**
 * The authorization at one client of one identity provider while a host runs: holds the state, takes events, carries
 * out what follows. What follows at once (dropping tokens, ending requests and streams) is done before an event
 * returns; what touches the keyring or the network is done after it, one thing after the other.
 *
 * What an event does is decided in `core/enterprise/authorization/transition.ts`; the work on the grant is in
 * `grants/grant_work.ts`. One of these exists for each issuer and client id.
 *
 * @module
 */

import type {
  AuthorizationEffect,
  AuthorizationEvent,
  GrantEffect,
} from "../../../core/enterprise/authorization/event.ts";
import { type AuthorizationState, initialState } from "../../../core/enterprise/authorization/state.ts";
import { tagOf } from "../../../core/enterprise/authorization/tag.ts";
import { transition } from "../../../core/enterprise/authorization/transition.ts";
import type { ThreadUse } from "../../../core/enterprise/authorization/use.ts";
import { follow } from "../../async/follow.ts";
import { SerialQueue } from "../../async/serial_queue.ts";
import type { GrantWork, WantedSignIn } from "../grants/grant_work.ts";
import { Bearers } from "./bearers.ts";

/** How an authorization is made. */
export interface AuthorizationOptions {
  /** Whether a host says whose account it is, or the sign-in itself. */
  readonly ownerFrom: "host" | "sign-in";
  /** Makes what works on the grant. */
  readonly grantWork: (authorization: Authorization) => GrantWork;
  /** Sees the state after each event, before anything is done about it. */
  readonly onState?: ((state: AuthorizationState) => void) | undefined;
  /** Sees what is done, in order. */
  readonly onEffect: (effect: AuthorizationEffect) => void;
}

interface Stream extends Pick<ThreadUse, "thread"> {
  readonly controller: AbortController;
}

/** The authorization at one client of one identity provider. */
export class Authorization {
  /** The access tokens, under the names of their leases. */
  readonly bearers: Bearers = new Bearers();
  /** Reads, writes and tries the grant. */
  readonly grant: GrantWork;
  readonly #options: AuthorizationOptions;
  readonly #pending = new Set<AbortController>();
  readonly #streams = new Map<string, Stream>();
  readonly #later = new SerialQueue();
  #state: AuthorizationState;

  /** Begins with nothing. */
  constructor(options: AuthorizationOptions) {
    this.#options = options;
    this.#state = initialState(options.ownerFrom);
    this.grant = options.grantWork(this);
  }

  /** The state now. Holds no token. */
  get state(): AuthorizationState {
    return this.#state;
  }

  /**
   * Takes an event and says what it led to. `wanted` is what a `signed-in` event wants stored. The state and all that
   * needs no waiting are done when this returns; {@linkcode Authorization.settled} waits for the rest.
   */
  dispatch(event: AuthorizationEvent, wanted: WantedSignIn | null = null): readonly AuthorizationEffect[] {
    const held = this.#state.grant;
    const { state, effects } = transition(this.#state, event);
    this.#state = state;
    this.#options.onState?.(state);
    const tag = tagOf(state, null);
    for (const effect of effects) {
      this.#options.onEffect(effect);
      this.#carryOut(effect, () => this.grant.perform(effect as GrantEffect, { held, tag, wanted }));
    }
    if (event.kind === "thread-closed") {
      for (const [name, { thread }] of [...this.#streams]) if (thread === event.thread) this.#endStream(name);
    }
    return effects;
  }

  /** Resolves when everything that events led to is done, what that led to included. */
  settled(): Promise<void> {
    return this.#later.idle();
  }

  /**
   * Runs something that a revocation ends: its signal is aborted then, and its result will be discarded. Aborting
   * `outer` ends it too. `release` takes it out of the reach of revocations, before it is committed.
   */
  async pending<Result>(
    outer: AbortSignal,
    work: (signal: AbortSignal, release: () => void) => Promise<Result>,
  ): Promise<Result> {
    const { controller, stop } = follow(outer);
    this.#pending.add(controller);
    const release = (): void => void this.#pending.delete(controller);
    try {
      return await work(controller.signal, release);
    } finally {
      release();
      stop();
    }
  }

  /**
   * Aborted when the thread's use of the server is revoked, or the thread closed: for streams, subscriptions and
   * reconnects.
   */
  streamSignal({ thread, server }: ThreadUse): AbortSignal {
    const name = JSON.stringify([thread, server]);
    const known = this.#streams.get(name) ?? { thread, controller: new AbortController() };
    this.#streams.set(name, known);
    return known.controller.signal;
  }

  #endStream(name: string): void {
    const stream = this.#streams.get(name);
    this.#streams.delete(name);
    stream?.controller.abort();
  }

  #carryOut(effect: AuthorizationEffect, perform: () => Promise<void>): void {
    switch (effect.kind) {
      case "drop-lease":
        return this.bearers.drop(effect.lease);
      case "cancel-pending": {
        const pending = [...this.#pending];
        this.#pending.clear();
        return pending.forEach((one) => one.abort());
      }
      case "revoke-thread": {
        return this.#endStream(JSON.stringify([effect.thread, effect.server]));
      }
      case "store-grant":
      case "read-grant":
      case "end-sign-in":
      case "delete-grant":
      case "write-marker":
      case "probe-grant":
        void this.#later.take(perform);
        return;
      case "exchange-again":
      case "block-server":
      case "discard":
        return; // whoever reported the event looks for these
    }
  }
}
