/**
 * How `fetch` of Node sends: whether it checks certificates, and which variables lead plain http for this machine to a
 * proxy. Node reads those only when it is told to. A dispatcher that the program itself installs is the program's own
 * choice, and not seen.
 *
 * What follows from it is decided in `adapters/http/transport/sending.ts`. `adapters/deno/sending.ts` is the same for
 * Deno.
 *
 * @module
 */

import process from "node:process";
import { loopbackProxy } from "../http/transport/loopback_proxy.ts";
import type { SendingRuntime } from "../http/transport/sending.ts";

/** Where the runtime's facts come from. */
export interface SendingOptions {
  /** Reads an environment variable; absent: `process.env`. */
  readonly environment?: (name: string) => string | undefined;
  /** The arguments of Node itself; absent: `process.execArgv`. */
  readonly runtimeArguments?: readonly string[];
}

const VARIABLE = "NODE_TLS_REJECT_UNAUTHORIZED";
const FLAG = "--use-env-proxy";

/** How this Node sends. Nothing is read before it is asked. */
export function createSendingRuntime(options: SendingOptions = {}): SendingRuntime {
  const environment = options.environment ?? ((name) => process.env[name]);
  const readsProxies = (): boolean => {
    if ((environment("NODE_USE_ENV_PROXY") ?? "") !== "") return true;
    const given = [
      ...(options.runtimeArguments ?? process.execArgv),
      ...(environment("NODE_OPTIONS") ?? "").split(/\s+/),
    ];
    return given.some((word) => word === FLAG || word.startsWith(`${FLAG}=`));
  };
  return {
    certificateSwitch: () => Promise.resolve(environment(VARIABLE) === "0" ? VARIABLE : null),
    loopbackProxy: (hostname) =>
      readsProxies() ? loopbackProxy(hostname, { rules: "node", environment }) : null,
  };
}
