/**
 * The names under which things are kept: the grant of one account at one identity provider, and the fingerprint of a
 * server's registration. Both are SHA-256 digests over length-prefixed parts, so that no two lists of parts share one.
 *
 * What a grant holds is decided in `record.ts`. The digest is an adapter's (`DigestPort`).
 *
 * @module
 */

import type { DigestPort } from "../../ports/digest.ts";
import { encodeParts, hexOf } from "../bytes.ts";
import type { EnterpriseProvider } from "../config/provider.ts";
import type { EnterpriseServer } from "../config/server.ts";
import { EnterpriseError } from "../error.ts";

/** The account of a person at the host. */
export interface AccountOwner {
  /** The user, as the host or the ID token names it. */
  readonly user: string;
  /** The workspace; `null`: none, which differs from one with an empty name. */
  readonly workspace: string | null;
}

/** What a grant belongs to. */
export interface GrantSubject {
  /** The account. */
  readonly owner: AccountOwner;
  /** The issuer of the identity provider, verbatim. */
  readonly issuer: string;
  /** Our client id there, verbatim. */
  readonly clientId: string;
}

/**
 * Key of a grant: 64 hexadecimal characters.
 *
 * @throws {EnterpriseError} `RANDOM_MALFORMED` when `digest` does not give 32 bytes.
 */
export function grantKey({ owner, issuer, clientId }: GrantSubject, digest: DigestPort): Promise<string> {
  return digestOf(["grant", owner.user, owner.workspace, issuer, clientId], digest);
}

/**
 * Name of an identity provider's client, under which the marker and the lock are kept: 64 hexadecimal characters.
 *
 * @throws {EnterpriseError} `RANDOM_MALFORMED` when `digest` does not give 32 bytes.
 */
export function providerKey(
  { issuer, clientId }: Pick<GrantSubject, "issuer" | "clientId">,
  digest: DigestPort,
): Promise<string> {
  return digestOf(["provider", issuer, clientId], digest);
}

/** What a registration is made of. */
export interface Registration {
  /** The server, as configured. */
  readonly server: EnterpriseServer;
  /** Its identity provider, as configured. */
  readonly provider: EnterpriseProvider;
}

/**
 * Fingerprint of everything that decides where a server is, who speaks to it, and who decided that: URL, issuers,
 * clients, methods, where credentials are, endpoints, resource, scopes, provenance. Changed: it is another server.
 *
 * @throws {EnterpriseError} `RANDOM_MALFORMED` when `digest` does not give 32 bytes.
 */
export function registrationFingerprint(
  { server, provider }: Registration,
  digest: DigestPort,
): Promise<string> {
  const list = (values: readonly string[] | null): string | null =>
    values === null ? null : hexOf(encodeParts(values.toSorted()));
  return digestOf([
    "registration",
    server.name,
    server.url,
    server.authorizationServer,
    server.tokenEndpoint,
    server.revocationEndpoint,
    server.resource,
    list(server.scopes),
    list(server.allowedScopes),
    String(server.requireExtension),
    String(server.allowMissingResource),
    server.subjectToken,
    server.layer.kind,
    server.layer.source,
    ...clientParts(server.client),
    provider.name,
    provider.issuer,
    provider.tokenEndpoint,
    provider.revocationEndpoint,
    provider.deviceEndpoint,
    provider.layer.kind,
    provider.layer.source,
    ...clientParts(provider.client),
  ], digest);
}

function clientParts(client: EnterpriseServer["client"]): readonly (string | null)[] {
  const place = (reference: typeof client.secret): string | null => {
    if (reference === null) return null;
    if (reference.kind === "stdin") return "stdin";
    const parts = reference.kind === "inline" ? [reference.source, ...reference.path] : [reference.name];
    return hexOf(encodeParts([reference.kind, ...parts]));
  };
  return [client.clientId, client.method, place(client.secret), place(client.privateKey)];
}

async function digestOf(parts: readonly (string | null)[], digest: DigestPort): Promise<string> {
  const bytes = await digest.sha256(encodeParts(parts));
  if (bytes.length === 32) return hexOf(bytes);
  throw new EnterpriseError("RANDOM_MALFORMED", `Cannot use a SHA-256 digest: it has ${bytes.length} bytes`);
}
