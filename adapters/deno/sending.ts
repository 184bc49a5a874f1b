/**
 * How `fetch` of Deno sends: whether it checks certificates, and which variables lead plain http for this machine to a
 * proxy.
 *
 * `--unsafely-ignore-certificate-errors` cannot be seen by a program: it is in no list of arguments, and `deno compile`
 * takes it into the program. So it is tried: a listener on this machine shows a certificate that nobody trusts, under
 * the name of the host in question. Whoever accepts it checks nothing.
 *
 * What follows from it is decided in `adapters/http/transport/sending.ts`. `adapters/node/sending.ts` is the same for
 * Node.
 *
 * @module
 */

import { EnterpriseError } from "../../core/enterprise/error.ts";
import { loopbackProxy } from "../http/transport/loopback_proxy.ts";
import type { SendingRuntime } from "../http/transport/sending.ts";
import { type CertifiedPair, createSelfSigned } from "./_self_signed.ts";

/** How long a trial may take, in milliseconds. It is one for all requests: each of them gives up by its own signal. */
const TRIAL_MS = 10_000;

/** Where the runtime's facts come from. */
export interface SendingOptions {
  /** Reads an environment variable; absent: `Deno.env`. */
  readonly environment?: (name: string) => string | undefined;
}

const FLAG = "--unsafely-ignore-certificate-errors";
const VARIABLE = "NODE_TLS_REJECT_UNAUTHORIZED";
const HOST = "127.0.0.1";

/**
 * How this Deno sends. Nothing is read or tried before it is asked.
 *
 * Permissions: `--allow-net=127.0.0.1`; for plain http also
 * `--allow-env=HTTP_PROXY,http_proxy,ALL_PROXY,all_proxy,NO_PROXY,no_proxy`. Without them its questions throw
 * `CONFIGURATION_REFUSED` (reason `permission-missing`); Deno is not made to prompt for them.
 */
export function createSendingRuntime(options: SendingOptions = {}): SendingRuntime {
  const environment = options.environment ?? permittedVariable;
  const seen = new Map<string, Promise<boolean>>();
  let pair: Promise<CertifiedPair> | null = null;
  const acceptsAnything = (hostname: string): Promise<boolean> => {
    const known = seen.get(hostname) ??
      tryCertificate(hostname, () => pair ??= createSelfSigned()).catch((error) => {
        seen.delete(hostname);
        throw error;
      });
    seen.set(hostname, known);
    return known;
  };
  return {
    certificateSwitch: async (hostname) => {
      // `fetch` of Deno takes no notice of it, other modules do: without the permission it cannot matter
      const readable = options.environment !== undefined || isPermitted(VARIABLE);
      if (readable && environment(VARIABLE) === "0") return VARIABLE;
      return await acceptsAnything(hostname) ? FLAG : null;
    },
    loopbackProxy: (hostname) => loopbackProxy(hostname, { rules: "deno", environment }),
  };
}

/** Whether this process takes a certificate that nobody trusts for one of `hostname`. */
async function tryCertificate(hostname: string, pair: () => Promise<CertifiedPair>): Promise<boolean> {
  if ((await Deno.permissions.query({ name: "net", host: HOST })).state !== "granted") {
    throw notPermitted(`whether certificates are checked cannot be seen without --allow-net=${HOST}`);
  }
  try {
    return await showAndLook(hostname.replace(/^\[(.*)\]$/, "$1"), await pair());
  } catch (cause) {
    throw new EnterpriseError(
      "TEMPORARILY_UNAVAILABLE",
      `Cannot see whether certificates are checked: this machine cannot be reached at ${HOST}`,
      { reason: "network", cause },
    );
  }
}

/** Shows the certificate to ourselves, and looks whether we take it. What is open is closed at the deadline. */
async function showAndLook(hostname: string, pair: CertifiedPair): Promise<boolean> {
  const listener = Deno.listenTls({ hostname: HOST, port: 0, ...pair });
  const open: { close(): void }[] = [listener];
  const close = (): void => open.splice(0).forEach((one) => one.close());
  const timer = setTimeout(close, TRIAL_MS);
  try {
    const connection = await Deno.connect({ hostname: HOST, port: listener.addr.port });
    open.push(connection);
    const shown = show(listener, connection.localAddr.port);
    try {
      return await accepts(connection, { hostname, open });
    } finally {
      close();
      await shown;
    }
  } finally {
    clearTimeout(timer);
    close();
  }
}

/** Shows the certificate to the connection from `port`. Any program on this machine can come before it. */
async function show(listener: Deno.TlsListener, port: number): Promise<void> {
  try {
    for (;;) {
      const connection = await listener.accept();
      const own = connection.remoteAddr.port === port;
      if (own) return await connection.handshake().then(() => undefined).finally(() => connection.close());
      connection.close();
    }
  } catch (error) {
    // the other side hung up, as it should, or the deadline came: what it made of the certificate it says itself
    if (!(error instanceof Error)) throw error;
  }
}

interface Looking {
  readonly hostname: string;
  /** What is to be closed at the end. */
  readonly open: { close(): void }[];
}

async function accepts(plain: Deno.TcpConn, { hostname, open }: Looking): Promise<boolean> {
  const connection = await Deno.startTls(plain, { hostname });
  // it has taken the plain one over
  open.splice(open.indexOf(plain), 1, connection);
  try {
    await connection.handshake();
    return true;
  } catch (error) {
    if (error instanceof Deno.errors.InvalidData) return false;
    throw error;
  }
}

function permittedVariable(name: string): string | undefined {
  if (!isPermitted(name)) {
    throw notPermitted(`whether a proxy is in the way cannot be seen without --allow-env=${name}`);
  }
  return Deno.env.get(name);
}

/** Variables that this process was permitted to read. Where that was taken back, reading them fails in Deno itself. */
const PERMITTED = new Set<string>();

/** Asked before each request, and asking the runtime takes longer than all else that is looked at. */
function isPermitted(variable: string): boolean {
  if (PERMITTED.has(variable)) return true;
  const permitted = Deno.permissions.querySync({ name: "env", variable }).state === "granted";
  if (permitted) PERMITTED.add(variable);
  return permitted;
}

function notPermitted(state: string): EnterpriseError {
  return new EnterpriseError("CONFIGURATION_REFUSED", `Cannot send anything: ${state}. Grant it`, {
    reason: "permission-missing",
  });
}
