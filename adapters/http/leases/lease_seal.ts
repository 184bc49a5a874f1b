/**
 * The encryption of shared leases, and the names that they are kept under, with the operator's keys. Whoever reads the
 * store learns neither a token nor whose it is; whoever writes to it can take leases away, and never put one where it
 * does not belong: the name and the generation of the sign-in are authenticated with the text.
 *
 * Two keys are derived from each of the operator's (HKDF, RFC 5869): one encrypts with AES-GCM under a fresh random
 * nonce of 96 bits (NIST SP 800-38D, 8.2.2), one makes names with HMAC (RFC 2104). The first key of the list writes;
 * all of them read, each under its own names.
 *
 * What is written is decided in `shared_lease.ts`; the store is `core/ports/lease_store.ts`'s.
 *
 * @module
 */

import { bytesOfBase64url, encodeParts, hexOf, textOfUtf8 } from "../../../core/enterprise/bytes.ts";
import { EnterpriseError } from "../../../core/enterprise/error.ts";
import { readSharedLease, type SharedLease, writeSharedLease } from "./shared_lease.ts";

/** A key of the operator: 32 random bytes, or the same in base64 or base64url. */
export type LeaseKey = string | Uint8Array<ArrayBuffer>;

/** Which lease: its binding and the generation of its sign-in. */
export interface LeasePlace {
  /** What it is bound to, as `leaseKey` writes it. */
  readonly binding: string;
  /** The generation of the sign-in. */
  readonly generation: string;
}

/** The names of a place, none of which says anything about it. */
export interface LeaseNames {
  /** Where the lease is under each key, the first key's first. */
  readonly leases: readonly string[];
  /** Where a process says that it is getting it: the same whatever the order of the keys. */
  readonly claim: string;
}

/** Longest text that is sealed or opened, in characters. */
const MAX_TEXT = 65_536;

const KEY_BYTES = 32;
const NONCE_BYTES = 12;

interface DerivedKeys {
  readonly cipher: CryptoKey;
  readonly names: CryptoKey;
}

/** Seals and opens leases. Holds keys that cannot be taken out. */
export class LeaseSeal {
  readonly #keys: readonly DerivedKeys[];

  private constructor(keys: readonly DerivedKeys[]) {
    this.#keys = keys;
  }

  /**
   * Takes the operator's keys: the first one encrypts, all of them decrypt.
   *
   * @throws {EnterpriseError} `CONFIGURATION_REFUSED` with reason `lease-key` when there is none, or one is not 32
   * bytes.
   */
  static async create(keys: readonly LeaseKey[]): Promise<LeaseSeal> {
    if (!Array.isArray(keys)) throw refused("they are no list");
    if (keys.length === 0) throw refused("there is none");
    return new LeaseSeal(await Promise.all(keys.map(bytesOf).map(deriveKeys)));
  }

  /** The names of a place. */
  async names(place: LeasePlace): Promise<LeaseNames> {
    const named = (kind: string): Promise<readonly string[]> =>
      Promise.all(this.#keys.map(({ names }) => nameOf(names, [kind, place.generation, place.binding])));
    const [leases, claims] = await Promise.all([named("lease"), named("claim")]);
    return { leases, claim: [...claims].sort()[0] ?? "" };
  }

  /** Seals a lease with the first key; `null` when it is too long to be shared. */
  async seal(lease: SharedLease, place: LeasePlace & { readonly name: string }): Promise<string | null> {
    const [key] = this.#keys;
    const text = new TextEncoder().encode(writeSharedLease(lease));
    if (key === undefined || text.length > MAX_TEXT / 2) return null;
    const iv = crypto.getRandomValues(new Uint8Array(NONCE_BYTES));
    const parameters = { name: "AES-GCM", iv, additionalData: additional(place) };
    const sealed = new Uint8Array(await crypto.subtle.encrypt(parameters, key.cipher, text));
    const bytes = new Uint8Array(NONCE_BYTES + sealed.length);
    bytes.set(iv);
    bytes.set(sealed, NONCE_BYTES);
    return textOf(bytes);
  }

  /** Opens what was found under the name of the key with this index; `null` when it is not what was sealed there. */
  async open(
    value: string,
    { index, ...place }: LeasePlace & { readonly name: string; readonly index: number },
  ): Promise<SharedLease | null> {
    const key = this.#keys[index];
    const bytes = value.length > MAX_TEXT ? null : bytesOfBase64url(value);
    if (key === undefined || bytes === null || bytes.length <= NONCE_BYTES) return null;
    const iv = new Uint8Array(bytes.subarray(0, NONCE_BYTES));
    const parameters = { name: "AES-GCM", iv, additionalData: additional(place) };
    try {
      const opened = await crypto.subtle.decrypt(
        parameters,
        key.cipher,
        new Uint8Array(bytes.subarray(NONCE_BYTES)),
      );
      const text = textOfUtf8(new Uint8Array(opened));
      return text === null ? null : readSharedLease(text);
    } catch {
      return null; // another key, another place, or somebody changed it: the cipher does not say which
    }
  }
}

/** What is authenticated beside the text: the version of the format, the name and the generation. */
function additional({ name, generation }: Pick<LeasePlace, "generation"> & { readonly name: string }) {
  return encodeParts(["codex-mcp lease", "1", name, generation]);
}

async function nameOf(key: CryptoKey, parts: readonly string[]): Promise<string> {
  return hexOf(new Uint8Array(await crypto.subtle.sign("HMAC", key, encodeParts(parts))));
}

async function deriveKeys(key: Uint8Array<ArrayBuffer>): Promise<DerivedKeys> {
  const base = await crypto.subtle.importKey("raw", key, "HKDF", false, ["deriveKey"]);
  const from = (use: string): HkdfParams => {
    const info = encodeParts(["codex-mcp lease", "1", use]);
    return { name: "HKDF", hash: "SHA-256", salt: new Uint8Array(), info };
  };
  const cipher = { name: "AES-GCM", length: 256 };
  const names = { name: "HMAC", hash: "SHA-256", length: 256 };
  return {
    cipher: await crypto.subtle.deriveKey(from("encryption"), base, cipher, false, ["encrypt", "decrypt"]),
    names: await crypto.subtle.deriveKey(from("names"), base, names, false, ["sign"]),
  };
}

/** The bytes of a key; a program without types may give anything. */
function bytesOf(key: unknown): Uint8Array<ArrayBuffer> {
  const bytes = typeof key === "string"
    ? bytesOfBase64url(key.trim().replaceAll("+", "-").replaceAll("/", "_").replace(/=$/, ""))
    : key;
  if (bytes === null && typeof key === "string") throw refused("one is not base64");
  if (!isBytes(bytes)) throw refused("one is neither a text nor a Uint8Array");
  if (bytes.length !== KEY_BYTES) {
    throw refused(`one has ${bytes.length} bytes, and it takes ${KEY_BYTES} random ones`);
  }
  if (new Set(bytes).size === 1) {
    throw refused("one is the same byte over and over, and it takes random ones");
  }
  return new Uint8Array(bytes);
}

/** Whether it is a `Uint8Array`, of whatever realm. Other views have elements that are no bytes. */
function isBytes(value: unknown): value is Uint8Array {
  return ArrayBuffer.isView(value) && Object.prototype.toString.call(value) === "[object Uint8Array]";
}

function refused(state: string): EnterpriseError {
  const message = `Cannot use the keys of the shared leases: ${state}`;
  return new EnterpriseError("CONFIGURATION_REFUSED", message, { reason: "lease-key" });
}

/** `bytes` in base64url without padding. */
function textOf(bytes: Uint8Array): string {
  const parts: string[] = [];
  for (let at = 0; at < bytes.length; at += 4096) {
    parts.push(String.fromCharCode(...bytes.subarray(at, at + 4096)));
  }
  return btoa(parts.join("")).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
}
