/**
 * What kind of address a URL's host is: public, loopback, link-local or unspecified. Which kinds may be used where
 * is decided in `url.ts`.
 *
 * Names are not resolved here. A host is taken as the URL parser writes it, so `127.1`, `0x7f000001` and
 * `[::ffff:127.0.0.1]` are loopback addresses like the plain spelling.
 *
 * @module
 */

/** Where an address leads. `"public"` is everything else, private networks included. */
export type HostKind = "public" | "loopback" | "link-local" | "unspecified";

/** Kind of `hostname`, which is spelled as `URL.hostname` spells it. */
export function hostKind(hostname: string): HostKind {
  if (hostname.startsWith("[")) return kindOfGroups(groupsOf(hostname.slice(1, -1)));
  const name = hostname.replace(/\.+$/, "").toLowerCase();
  if (name === "localhost" || name.endsWith(".localhost")) return "loopback";
  const quad = /^(\d{1,3})\.(\d{1,3})\.\d{1,3}\.\d{1,3}$/.exec(name);
  return quad === null ? "public" : kindOfQuad(Number(quad[1]), Number(quad[2]));
}

/** Whether plain `http` may be spoken with `hostname`: `localhost`, 127.0.0.0/8 or `[::1]`, spelled just so. */
export function isPlainLoopback(hostname: string): boolean {
  return hostname === "localhost" || hostname === "[::1]" ||
    /^127\.\d{1,3}\.\d{1,3}\.\d{1,3}$/.test(hostname);
}

function kindOfQuad(first: number, second: number): HostKind {
  if (first === 127) return "loopback";
  if (first === 0) return "unspecified";
  return first === 169 && second === 254 ? "link-local" : "public";
}

/** The eight groups of an IPv6 address as the URL parser writes it: hexadecimal, at most one `::`. */
function groupsOf(address: string): readonly number[] {
  const [head = "", tail] = address.split("::");
  const numbers = (text: string): number[] =>
    text === "" ? [] : text.split(":").map((group) => parseInt(group, 16));
  const before = numbers(head);
  if (tail === undefined) return before;
  const after = numbers(tail);
  return [...before, ...Array<number>(Math.max(0, 8 - before.length - after.length)).fill(0), ...after];
}

function kindOfGroups(groups: readonly number[]): HostKind {
  const at = (index: number): number => groups[index] ?? 0;
  if (at(0) >= 0xfe80 && at(0) <= 0xfebf) return "link-local";
  const embedded = at(6) >>> 8;
  const zeros = groups.slice(0, 5).every((group) => group === 0);
  if (zeros && at(5) === 0 && at(6) === 0) {
    if (at(7) === 0) return "unspecified";
    if (at(7) === 1) return "loopback";
  }
  const mapped = zeros && (at(5) === 0 || at(5) === 0xffff); // ::a.b.c.d and ::ffff:a.b.c.d
  const translated = at(0) === 0x64 && at(1) === 0xff9b; // 64:ff9b::a.b.c.d
  return mapped || translated ? kindOfQuad(embedded, at(6) & 0xff) : "public";
}
