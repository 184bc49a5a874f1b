/**
 * A Worker for tests: what the pure core makes of a `_meta`, and what becomes of a thread when its account changes. It
 * has the bindings of `examples/worker`, and opens its tokens as that one does.
 *
 * @module
 */

import { captureAuthority, compareAuthority, planSandboxedCommand, type SandboxError } from "../../../mod.ts";
import { openTokens, ownerOf, type TokensEnv } from "../../../examples/worker/tokens.ts";

interface Env extends TokensEnv {
  readonly ACCOUNTS: { idFromName(name: string): unknown; get(id: unknown): Account };
}

/** What a test sends to `/core`: the `_meta` of two calls as text, and the texts of their states. */
export interface CoreQuestion {
  readonly meta: string;
  readonly stateText: string;
  readonly otherMeta: string;
  readonly otherText: string;
}

/** Everything that came of it, as plain values. */
export function askCore(question: CoreQuestion): unknown {
  const { stateText, otherText } = question;
  const meta: unknown = JSON.parse(question.meta);
  const one = captureAuthority(meta, { transport: "stdio", stateText });
  const two = captureAuthority(JSON.parse(question.otherMeta), { transport: "stdio", stateText: otherText });
  const http = captureAuthority(meta, { transport: "http", stateText });
  return {
    plan: planSandboxedCommand(one, ["sh", "-c", "echo 'ö' \"$1\""], {
      platform: "linux",
      disableNetwork: true,
    }),
    same: compareAuthority(one, one),
    changed: compareAuthority(one, two),
    inexact: codeOf(() => captureAuthority(meta, { transport: "stdio" })),
    withoutStdio: codeOf(() => planSandboxedCommand(http, ["true"])),
  };
}

function codeOf(work: () => unknown): string {
  try {
    return `none: ${JSON.stringify(work())}`;
  } catch (error) {
    return (error as SandboxError).code;
  }
}

export default {
  async fetch(request: Request, env: Env): Promise<Response> {
    if (new URL(request.url).pathname === "/core") return Response.json(askCore(await request.json()));
    return await env.ACCOUNTS.get(env.ACCOUNTS.idFromName("one")).fetch(request);
  },
};

/** An object that has tokens of one account, gives more of them than it may have timers, and is told of another. */
export class Account {
  readonly #env: Env;

  constructor(_state: unknown, env: Env) {
    this.#env = env;
  }

  async fetch(request: Request): Promise<Response> {
    const idToken = request.headers.get("authorization")?.slice("Bearer ".length) ?? "";
    const tokens = await openTokens(idToken, this.#env);
    const codeOf = (thread: string): Promise<unknown> =>
      tokens.token({ thread, server: "notes" }).then(() => "none", ({ code }) => code);
    for (let call = 0; call < 12_000; call += 1) await tokens.token({ thread: "many", server: "notes" });
    const revocation = tokens.revocation({ thread: "one", server: "notes" });
    const before = await codeOf("one");
    await tokens.setAccount({ user: "user-bob", workspace: "acme" });
    const switched = { one: await codeOf("one"), two: await codeOf("two"), revoked: revocation.aborted };
    await tokens.setAccount(ownerOf(idToken));
    return Response.json({
      before,
      switched,
      back: { one: await codeOf("one"), three: await codeOf("three") },
    });
  }
}
