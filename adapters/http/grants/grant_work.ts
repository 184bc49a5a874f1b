/**
 * What events about the grant lead to: reading, storing, ending and deleting it, and trying a plain refresh when it is
 * in doubt (`probe_grant.ts`). Each deletion compares first, under the lock.
 *
 * When which of these is due is decided in `core/enterprise/authorization/`; reading and the lock are in
 * `grant_reader.ts`, what follows the end of a sign-in in `tokens/provider_sign_in.ts`.
 *
 * @module
 */

import type { GrantEffect } from "../../../core/enterprise/authorization/event.ts";
import type { HeldGrant } from "../../../core/enterprise/authorization/state.ts";
import { type CommitTag, tagOf } from "../../../core/enterprise/authorization/tag.ts";
import type { EnterpriseProvider } from "../../../core/enterprise/config/provider.ts";
import { EnterpriseError } from "../../../core/enterprise/error.ts";
import type { GrantRecord } from "../../../core/enterprise/grant/record.ts";
import type { EnterpriseLegs } from "../exchange/legs.ts";
import { redactError } from "../transport/redact.ts";
import { GrantReader, type StateHolder } from "./grant_reader.ts";
import { closedKeyring, type EndedSignIn, type GrantSource } from "./grant_source.ts";
import { type GrantProbe, probeGrant } from "./probe_grant.ts";
import { type CurrentSignIn, currentSignIn, isSameSignIn } from "./store_sign_in.ts";

/** What the work needs. */
export interface GrantWorkOptions {
  /** The identity provider, as it is configured now for this server. */
  readonly provider: (server: string) => EnterpriseProvider;
  /** Where the grant is kept. */
  readonly source: GrantSource;
  /** Sends. */
  readonly legs: Pick<EnterpriseLegs, "refresh">;
  /** Gives a fresh generation. */
  readonly newGeneration: () => string;
  /** How long one piece of work may take, in seconds. */
  readonly deadline: number;
}

/** What was in force when the work became due. */
export interface GrantWorkContext {
  /** The grant before the event; `null`: none. */
  readonly held: HeldGrant | null;
  /** What was in force right after the event. */
  readonly tag: CommitTag;
  /** What a sign-in wants stored; `null`: nothing. */
  readonly wanted: WantedSignIn | null;
}

/** A sign-in that is to be stored. */
export interface WantedSignIn {
  /** Its record. */
  readonly record: GrantRecord;
  /** Which sign-in was in force when this one began. */
  readonly began: CurrentSignIn;
}

/** The state, and what a revocation ends. */
export interface WorkHolder extends StateHolder {
  /** Runs something that a revocation ends, or `outer`. */
  pending<Result>(outer: AbortSignal, work: (signal: AbortSignal) => Promise<Result>): Promise<Result>;
}

/** How one piece of work ended, where that is worth telling. */
export type GrantOutcome = "done" | "not-offered" | EnterpriseError;

/** Works on the grant of one client of one identity provider. */
export class GrantWork extends GrantReader {
  readonly #holder: WorkHolder;
  readonly #options: GrantWorkOptions;
  readonly #outcomes = new WeakMap<object, GrantOutcome>();
  readonly #ended = new WeakMap<object, EndedSignIn>();

  /** Works for `holder`. */
  constructor(holder: WorkHolder, options: GrantWorkOptions) {
    super(holder, options.source);
    this.#holder = holder;
    this.#options = options;
  }

  /** How the work for `effect` ended; `undefined`: not yet. */
  outcomeOf(effect: object): GrantOutcome | undefined {
    return this.#outcomes.get(effect);
  }

  /** What became of the sign-in that `effect` ended, once: it holds tokens. `undefined`: nothing, or it was taken. */
  takeEnded(effect: object): EndedSignIn | undefined {
    const ended = this.#ended.get(effect);
    this.#ended.delete(effect);
    return ended;
  }

  /** Does what `effect` asks for. Never rejects: {@linkcode GrantWork.outcomeOf} says how it ended. */
  async perform(effect: GrantEffect, context: GrantWorkContext): Promise<void> {
    const signal = AbortSignal.timeout(this.#options.deadline * 1000);
    try {
      this.#outcomes.set(effect, await this.#perform(effect, { ...context, signal }));
    } catch (error) {
      const known = error instanceof EnterpriseError ? error : unexpected(error);
      this.#outcomes.set(effect, known);
      const keyring = closedKeyring(known);
      if (keyring !== null) this.#holder.dispatch({ kind: "keyring-closed", keyring });
      if (effect.kind === "store-grant") await this.#lookAgain(signal);
    }
    if (effect.kind === "end-sign-in") this.#holder.dispatch({ kind: "sign-in-ended", owner: effect.key });
  }

  /** A sign-in that was not stored is none: whatever is stored counts, as the one before it. */
  async #lookAgain(signal: AbortSignal): Promise<void> {
    this.doubt();
    try {
      await this.read(signal);
    } catch (error) {
      if (closedKeyring(error) !== null) return; // nothing is known, and the next look reads
      this.#holder.dispatch({ kind: "grant-missing", tag: tagOf(this.#holder.state, null) });
    }
  }

  async #perform(effect: GrantEffect, context: Working): Promise<GrantOutcome> {
    const { source } = this.#options;
    const { held, tag, wanted, signal } = context;
    switch (effect.kind) {
      case "read-grant":
        await this.read(signal);
        return "done";
      case "store-grant":
        if (wanted === null) throw overtaken();
        await source.locked(async (grants) => {
          if (!isSameSignIn(wanted.began, await currentSignIn(grants.marker()))) throw overtaken();
          const { record } = wanted;
          const { key } = effect.grant;
          await grants.write(key, record);
          await this.noteStored(grants, { key, record, tag });
        }, signal);
        return "done";
      case "delete-grant":
        if (!source.owned) return "done";
        await source.locked(async (grants) => {
          const stored = await grants.read(effect.key);
          if (stored === null || stored.generation !== effect.generation) return;
          if (stored.revision === effect.revision) await grants.remove(effect.key);
        }, signal);
        return "done";
      case "end-sign-in":
        if (!source.owned) return "not-offered";
        this.#ended.set(effect, await source.locked((grants) => grants.endSignIn(effect), signal));
        return "done";
      case "write-marker":
        if (!source.owned) return "done";
        await source.locked(async (grants) => {
          const current = (await grants.marker())?.current ?? null;
          // another account, or a sign-in that came in between, stays
          const taken = current !== null && (current !== held?.key || await grants.read(current) !== null);
          if (!taken) await grants.signOut(effect.generation);
        }, signal);
        return "done";
      case "probe-grant":
        await this.#probe(effect.server, signal);
        return "done";
    }
  }

  /** Tries a plain refresh, which a revocation ends. */
  async #probe(server: string, signal: AbortSignal): Promise<void> {
    const { provider, legs, newGeneration } = this.#options;
    const tag = tagOf(this.#holder.state, server);
    const report = (outcome: GrantProbe): void => {
      this.#holder.dispatch({ kind: "grant-probed", tag, server, outcome, generation: newGeneration() });
    };
    const probe = (within: AbortSignal): Promise<GrantProbe> => {
      const options = { provider: provider(server), legs, signal: within };
      return this.use((grant) => probeGrant(grant, options), within);
    };
    try {
      report(await this.#holder.pending(signal, probe));
    } catch (error) {
      report("unavailable");
      throw error;
    }
  }
}

interface Working extends GrantWorkContext {
  readonly signal: AbortSignal;
}

function overtaken(): EnterpriseError {
  return new EnterpriseError(
    "SUPERSEDED",
    "Cannot store the sign-in: another one or a sign-out came in between",
  );
}

/** An error that is none of ours, without what it may carry. */
function unexpected(error: unknown): EnterpriseError {
  return new EnterpriseError("TEMPORARILY_UNAVAILABLE", "Cannot work on the sign-in: something failed", {
    reason: "unexpected",
    cause: redactError(error),
  });
}
