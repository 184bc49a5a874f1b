/**
 * A keyring that lives as long as the program: for tests, and for programs that sign in anew each time. Nothing falls
 * back to it: whoever wants it calls it by its name.
 *
 * `os_keyring.ts` is the one that keeps.
 *
 * @module
 */

import type { KeyringEntry, KeyringWrite } from "../../core/ports/keyring.ts";
import type { Keyring } from "./keyring.ts";
import { keyringError } from "./native.ts";

/**
 * Creates an empty keyring in memory. An aborted signal is `KEYRING_LOCKED`, as with any other keyring.
 *
 * @example
 * ```ts
 * import { createMemoryKeyring } from "./memory.ts";
 *
 * const keyring = createMemoryKeyring();
 * const { signal } = new AbortController();
 * await keyring.write({ service: "codex-mcp", account: "a" }, { secret: "s", signal });
 * console.log(await keyring.read({ service: "codex-mcp", account: "a" }, signal)); // s
 * ```
 */
export function createMemoryKeyring(): Keyring {
  const items = new Map<string, string>();
  const name = ({ service, account }: KeyringEntry): string => JSON.stringify([service, account]);
  const ask = <T>(signal: AbortSignal, answer: () => T): Promise<T> =>
    signal.aborted ? Promise.reject(keyringError("memory", "silent")) : Promise.resolve(answer());
  return {
    describe: () => "memory",
    unsettled: () => null,
    read: (entry, signal) => ask(signal, () => items.get(name(entry)) ?? null),
    write: (entry, { secret, signal }: KeyringWrite) =>
      ask(signal, () => void items.set(name(entry), secret)),
    delete: (entry, signal) => ask(signal, () => items.delete(name(entry))),
  };
}
