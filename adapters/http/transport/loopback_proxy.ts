/**
 * Whether a runtime's `fetch` hands plain http for a loopback address to a proxy that the environment names: then a
 * bearer or a secret for this very machine would be read elsewhere. What the runtimes do differs, and each rule here
 * is no wider than theirs: Deno reads `ALL_PROXY` too, and does not take an address out for `*`; Node looks at none of
 * it unless `NODE_USE_ENV_PROXY` or `--use-env-proxy` says so, and knows no ranges of addresses.
 *
 * What follows from it is decided in `sending.ts`. There is no specification of these variables; tried with Deno 2.9
 * and Node 24.
 *
 * @module
 */

/** What decides about proxies. */
export interface ProxyFacts {
  /** Whose rules `fetch` follows. */
  readonly rules: "deno" | "node";
  /** Reads an environment variable; `undefined`: not set. */
  readonly environment: (name: string) => string | undefined;
}

/** A proxy in the way, and how to take a host out. No value of a variable is in it. */
export interface LoopbackProxy {
  /** The variable that names the proxy. */
  readonly variable: string;
  /** The variable that takes hosts out, as this runtime reads it here. */
  readonly exceptions: "NO_PROXY" | "no_proxy";
  /** What must stand in it. */
  readonly entry: string;
}

const VARIABLES: Readonly<Record<ProxyFacts["rules"], readonly string[]>> = {
  deno: ["HTTP_PROXY", "http_proxy", "ALL_PROXY", "all_proxy"],
  node: ["http_proxy", "HTTP_PROXY"],
};

/** The one that is set counts, also when it is empty. */
const EXCEPTIONS: Readonly<Record<ProxyFacts["rules"], readonly LoopbackProxy["exceptions"][]>> = {
  deno: ["NO_PROXY", "no_proxy"],
  node: ["no_proxy", "NO_PROXY"],
};

/**
 * The proxy that plain http for `hostname` would go to; `null`: none. `hostname` is a loopback address as
 * `URL.hostname` spells it.
 *
 * @example
 * ```ts
 * import { loopbackProxy } from "./loopback_proxy.ts";
 *
 * const set: Record<string, string> = { HTTP_PROXY: "http://proxy.example:3128", NO_PROXY: "*" };
 * const facts = { rules: "deno", environment: (name: string) => set[name] } as const;
 * console.log(loopbackProxy("127.0.0.1", facts)?.entry); // 127.0.0.1
 * console.log(loopbackProxy("localhost", facts)); // null
 * ```
 */
export function loopbackProxy(hostname: string, { rules, environment }: ProxyFacts): LoopbackProxy | null {
  const variable = VARIABLES[rules].find((name) => (environment(name) ?? "") !== "");
  if (variable === undefined) return null;
  const exceptions = EXCEPTIONS[rules].find((name) => environment(name) !== undefined) ?? "NO_PROXY";
  const list = environment(exceptions) ?? "";
  const covered = rules === "deno" ? isTakenOutByDeno(hostname, list) : isTakenOutByNode(hostname, list);
  if (covered) return null;
  return { variable, exceptions, entry: rules === "deno" ? bare(hostname) : hostname };
}

/** A name, a name with a dot before it, or `*` for names; an address or a range for addresses. */
function isTakenOutByDeno(hostname: string, list: string): boolean {
  const host = bare(hostname);
  // not trim(): that takes a byte order mark away, which Deno leaves
  const entries = list.split(",").map((entry) => entry.replace(/^[\t-\r ]+|[\t-\r ]+$/g, ""));
  if (entries.includes(host)) return true;
  const address = addressOf(host);
  if (address !== null) return entries.some((entry) => isInRange(address, entry));
  return !host.includes(":") && (entries.includes(`.${host}`) || entries.includes("*"));
}

/** `*` alone, or the very host. */
function isTakenOutByNode(hostname: string, list: string): boolean {
  return list === "*" || list.toLowerCase().split(/[,\s]/).includes(hostname);
}

/** The address without the brackets of a URL. */
function bare(hostname: string): string {
  return hostname.replace(/^\[(.*)\]$/, "$1");
}

/** Whether an IPv4 address lies in a range such as `127.0.0.0/8`. */
function isInRange(address: number, range: string): boolean {
  const [, base = "", digits = ""] = /^([\d.]+)\/(\d{1,2})$/.exec(range) ?? [];
  const network = addressOf(base);
  const bits = Number(digits);
  if (network === null || digits === "" || bits > 32) return false;
  const size = 2 ** (32 - bits);
  return Math.floor(address / size) === Math.floor(network / size);
}

/** An IPv4 address as a number; `null` when it is none. */
function addressOf(text: string): number | null {
  const parts = /^(0|[1-9]\d{0,2})\.(0|[1-9]\d{0,2})\.(0|[1-9]\d{0,2})\.(0|[1-9]\d{0,2})$/.exec(text)?.slice(
    1,
  );
  if (parts === undefined || parts.some((part) => Number(part) > 255)) return null;
  return parts.reduce((sum, part) => sum * 256 + Number(part), 0);
}
