/**
 * What must be so before anything leaves: certificates are checked, and plain http for this machine stays on it. A
 * switch of the runtime can undo both without a word in the program, so each request asks the runtime first.
 *
 * How a runtime knows is decided in `adapters/deno/sending.ts` and `adapters/node/sending.ts`; which URLs may be used
 * at all in `core/enterprise/url.ts`. MCP EMA (stable), 7.3; RFC 6750, 5.3.
 *
 * @module
 */

import { EnterpriseError } from "../../../core/enterprise/error.ts";
import { quoteUrl } from "../../../core/enterprise/url.ts";
import { unlessAborted } from "../../async/unless_aborted.ts";
import type { LoopbackProxy } from "./loopback_proxy.ts";

/** How a runtime's `fetch` sends. Both questions are asked at each request. */
export interface SendingRuntime {
  /**
   * The flag or variable that switches certificate checks off for `hostname`, spelled as `URL.hostname` spells it;
   * `null`: certificates are checked.
   *
   * @throws {EnterpriseError} `CONFIGURATION_REFUSED` when the runtime does not permit to see it.
   */
  certificateSwitch(hostname: string): Promise<string | null>;
  /**
   * The proxy that plain http for the loopback address `hostname` would go to; `null`: none.
   *
   * @throws {EnterpriseError} `CONFIGURATION_REFUSED` when the runtime does not permit to see it.
   */
  loopbackProxy(hostname: string): LoopbackProxy | null;
}

/**
 * A runtime that has neither such switches nor proxies, such as Workers. On Deno and on Node use their own
 * `createSendingRuntime`: this one looks at nothing.
 */
export function createEdgeRuntime(): SendingRuntime {
  return { certificateSwitch: () => Promise.resolve(null), loopbackProxy: () => null };
}

/**
 * Refuses to send anything to `url`, which was found usable before, in a runtime that would not send it safely.
 *
 * @throws {EnterpriseError} `CONFIGURATION_REFUSED` when certificate checks are switched off (reason
 * `certificate-checks-off`), or plain http would go to a proxy (reason `loopback-through-proxy`); `field` is the
 * variable or the flag. Rejects with the reason of `signal` when that is aborted first.
 */
export async function requireSafeSending(
  url: string,
  { runtime, signal }: { readonly runtime: SendingRuntime | undefined; readonly signal: AbortSignal },
): Promise<void> {
  // a program without types can leave it out
  if (runtime === undefined) {
    const state = "nobody says how this runtime sends. Give createSendingRuntime() as runtime";
    throw new EnterpriseError("CONFIGURATION_REFUSED", `Cannot send anything: ${state}`, {
      reason: "runtime-unknown",
    });
  }
  const { protocol, hostname } = new URL(url);
  const off = await unlessAborted(() => runtime.certificateSwitch(hostname), signal);
  if (off !== null) {
    const message = `Cannot send anything: ${off} switches certificate checks off. Take it away`;
    throw new EnterpriseError("CONFIGURATION_REFUSED", message, {
      reason: "certificate-checks-off",
      field: off,
    });
  }
  const proxy = protocol === "http:" ? runtime.loopbackProxy(hostname) : null;
  if (proxy === null) return;
  const { variable, exceptions, entry } = proxy;
  const state =
    `${variable} would take plain http for this machine to a proxy. Add ${entry} to ${exceptions}`;
  throw new EnterpriseError("CONFIGURATION_REFUSED", `Cannot send anything to ${quoteUrl(url)}: ${state}`, {
    reason: "loopback-through-proxy",
    field: variable,
  });
}
