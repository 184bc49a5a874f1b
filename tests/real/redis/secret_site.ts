/**
 * An operator's store of secrets for tests: one process serves it on loopback, the others reach it over HTTP with an
 * ETag to compare (RFC 9110, 13.1), as one would over a service that has them.
 *
 * @module
 */

import { MemorySecretStore } from "../../../adapters/http/grants/memory_secret_store.ts";
import type { SecretChange, SecretStore, StoredSecret } from "../../../core/ports/secret_store.ts";

/** A served store. */
export interface SecretSite extends AsyncDisposable {
  /** Where it is. */
  readonly url: string;
  /** The same store in this process. */
  readonly store: SecretStore;
}

/** Serves a store. */
export function serveSecrets(): SecretSite {
  const store = new MemorySecretStore();
  const answer = async (request: Request): Promise<Response> => {
    const name = new URL(request.url).pathname.slice(1);
    if (request.method === "GET") {
      const found = await store.read(name, request.signal);
      if (found === null) return new Response(null, { status: 404 });
      return new Response(found.text, { headers: { etag: `"${found.revision}"` } });
    }
    const revision = request.headers.get("if-match")?.slice(1, -1) ?? null;
    const text = request.method === "DELETE" ? null : await request.text();
    const next = await store.write(name, { text, revision }, request.signal);
    return next === null
      ? new Response(null, { status: 412 })
      : new Response(null, { status: 204, headers: { etag: `"${next}"` } });
  };
  const options = { hostname: "127.0.0.1", port: 0, onListen: () => undefined };
  const server = Deno.serve(options, answer);
  const url = `http://127.0.0.1:${server.addr.port}`;
  return { url, store, [Symbol.asyncDispose]: () => server.shutdown() };
}

/** Reaches a served store. */
export class HttpSecretStore implements SecretStore {
  readonly #url: string;

  /** The store at `url`. */
  constructor(url: string) {
    this.#url = url;
  }

  /** Reads. */
  async read(name: string, signal: AbortSignal): Promise<StoredSecret | null> {
    const response = await fetch(`${this.#url}/${name}`, { signal });
    const text = await response.text();
    if (response.status === 404) return null;
    return { text, revision: revisionOf(response, 200) };
  }

  /** Compares and changes. */
  async write(name: string, { text, revision }: SecretChange, signal: AbortSignal): Promise<string | null> {
    const response = await fetch(`${this.#url}/${name}`, {
      method: text === null ? "DELETE" : "PUT",
      body: text,
      headers: revision === null ? { "if-none-match": "*" } : { "if-match": `"${revision}"` },
      signal,
    });
    await response.body?.cancel();
    return response.status === 412 ? null : revisionOf(response, 204);
  }
}

function revisionOf({ status, headers }: Response, expected: number): string {
  const etag = headers.get("etag");
  if (status === expected && etag !== null) return etag.slice(1, -1);
  throw new Error(`The store of secrets answered ${status}`);
}
