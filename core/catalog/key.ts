/**
 * The name under which a server's catalog is kept: a digest of everything that its tools may depend on. Nothing of
 * that can be read from it. An enterprise server has no such name, so that nothing of it can be kept or found.
 *
 * What a configuration's text is made of is decided in `core/configuration`; what is kept in `record.ts`. The digest
 * is an adapter's (`DigestPort`).
 *
 * @module
 */

import { encodeParts, hexOf } from "../enterprise/bytes.ts";
import type { DigestPort } from "../ports/digest.ts";

/**
 * Name of an ordinary server's catalog: 64 hexadecimal characters. Only {@linkcode catalogKey} makes one, and never
 * for an enterprise server; the member exists in the type alone.
 */
export type CatalogKey = string & {
  /** Tells it from other strings. */
  readonly ordinary: true;
};

/** An ordinary server, as far as its tools depend on it. All values are used for a digest alone. */
export interface OrdinarySubject {
  /** How it is reached. */
  readonly kind: "stdio" | "http";
  /** The canonical text of its configuration. */
  readonly configuration: string;
  /**
   * The values of the credentials in use that the configuration only points to, such as a bearer and the variables
   * that are passed on, in a fixed order; `null`: one that is not set.
   */
  readonly credentials: readonly (string | null)[];
  /**
   * What else its tools may depend on, in a fixed order: what the host declares about itself, the program that was
   * found, the working directory; `null`: one that is not known.
   */
  readonly surroundings: readonly (string | null)[];
}

/** An enterprise server: its catalog is never kept. */
export interface EnterpriseSubject {
  /** Tells the kinds apart. */
  readonly kind: "enterprise";
}

/** A server whose catalog is asked for. */
export type CatalogSubject = OrdinarySubject | EnterpriseSubject;

/** Name of a server's catalog; `null` for an enterprise server, whatever else is given. */
export function catalogKey(subject: EnterpriseSubject, digest: DigestPort): Promise<null>;
/** Name of a server's catalog; `null` for an enterprise server, and where `digest` does not give 32 bytes. */
export function catalogKey(subject: CatalogSubject, digest: DigestPort): Promise<CatalogKey | null>;
export async function catalogKey(subject: CatalogSubject, digest: DigestPort): Promise<CatalogKey | null> {
  if (subject.kind !== "stdio" && subject.kind !== "http") return null;
  const { kind, configuration, credentials, surroundings } = subject;
  const secret = await digest.sha256(encodeParts(["catalog credentials", ...credentials]));
  const around = hexOf(encodeParts(surroundings));
  const parts = ["catalog", "tools/list", kind, configuration, hexOf(secret), around];
  const bytes = await digest.sha256(encodeParts(parts));
  const text = hexOf(bytes);
  return secret.length === 32 && isCatalogKey(text) ? text : null;
}

/** Whether a text has the form of a key. */
export function isCatalogKey(text: string): text is CatalogKey {
  return /^[0-9a-f]{64}$/.test(text);
}
