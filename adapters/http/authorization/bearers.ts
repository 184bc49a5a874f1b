/**
 * The access tokens of this process, each under the name of its lease. Nothing that is printed shows one.
 *
 * Which lease may be used, by whom and how long is decided in `core/enterprise/authorization/`.
 *
 * @module
 */

/** Access tokens in memory. */
export class Bearers {
  readonly #tokens = new Map<string, string>();

  /** How many there are. */
  get size(): number {
    return this.#tokens.size;
  }

  /** Keeps `token` under the name of its lease. */
  keep(lease: string, token: string): void {
    this.#tokens.set(lease, token);
  }

  /** The token of a lease; `undefined` when it is gone. */
  of(lease: string): string | undefined {
    return this.#tokens.get(lease);
  }

  /** Forgets the token of a lease. */
  drop(lease: string): void {
    this.#tokens.delete(lease);
  }
}
