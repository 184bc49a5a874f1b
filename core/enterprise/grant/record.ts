/**
 * The record of a grant: what a sign-in stores, in the keyring and nowhere else. A JSON object with a version; what a
 * newer program of the same version wrote beside it survives a rewrite. No access token and no ID-JAG is ever in it.
 *
 * Under which name it is kept is decided in `key.ts`; which generation is in force in `marker.ts`.
 *
 * @module
 */

import { isJsonObject, type JsonObject, type JsonValue, ownProperty } from "../../json/value.ts";
import { isEpochSeconds } from "../epoch.ts";
import { EnterpriseError } from "../error.ts";
import { isGeneration, isRevision } from "./generation.ts";

/** How many bytes a record may have: a credential of Windows holds no more. */
export const GRANT_BYTES = 2560;

/** What a sign-in stores. Holds tokens: never print it. */
export interface GrantRecord {
  /** Issuer of the identity provider, verbatim. */
  readonly issuer: string;
  /** Our client id there. */
  readonly clientId: string;
  /** The account's user. */
  readonly user: string;
  /** The account's workspace; `null`: none. */
  readonly workspace: string | null;
  /** The subject of the ID token. */
  readonly subject: string;
  /** The generation. */
  readonly generation: string;
  /** The revision. */
  readonly revision: number;
  /** The refresh token; `null`: none. */
  readonly refreshToken: string | null;
  /** The ID token; `null`: none. */
  readonly idToken: string | null;
  /** When the ID token expires, epoch seconds; `null`: there is none, or it is not known. */
  readonly idTokenExpiresAt: number | null;
  /** When the sign-in was made, epoch seconds. */
  readonly signedInAt: number;
  /** Members that this program does not know. */
  readonly others: JsonObject;
}

const FIELDS: readonly string[] = [
  "version",
  "issuer",
  "client_id",
  "user",
  "workspace",
  "subject",
  "generation",
  "revision",
  "refresh_token",
  "id_token",
  "id_token_expires_at",
  "signed_in_at",
];

/**
 * Writes `record`.
 *
 * @throws {EnterpriseError} `GRANT_TOO_LARGE` when it has more than {@linkcode GRANT_BYTES} bytes in UTF-8.
 */
export function writeGrant(record: GrantRecord): string {
  const text = JSON.stringify({
    ...withoutFields(record.others),
    version: 1,
    issuer: record.issuer,
    client_id: record.clientId,
    user: record.user,
    workspace: record.workspace,
    subject: record.subject,
    generation: record.generation,
    revision: record.revision,
    refresh_token: record.refreshToken,
    id_token: record.idToken,
    id_token_expires_at: record.idTokenExpiresAt,
    signed_in_at: record.signedInAt,
  });
  const { length } = new TextEncoder().encode(text);
  if (length <= GRANT_BYTES) return text;
  throw new EnterpriseError(
    "GRANT_TOO_LARGE",
    `Cannot store the sign-in: it has ${length} bytes, and a keyring item holds ${GRANT_BYTES}. ` +
      "Have the identity provider issue smaller ID tokens (fewer claims and groups) to this client.",
  );
}

/**
 * Reads a record.
 *
 * @throws {EnterpriseError} `GRANT_MALFORMED` when `text` is no record.
 * @throws {EnterpriseError} `GRANT_VERSION_UNSUPPORTED` when a later version of this package wrote it.
 */
export function readGrant(text: string): GrantRecord {
  const value = parse(text);
  const version = ownProperty(value, "version");
  if (typeof version === "number" && version > 1) {
    throw new EnterpriseError(
      "GRANT_VERSION_UNSUPPORTED",
      "Cannot read the stored sign-in: a newer version wrote it. Update, or sign in again.",
    );
  }
  const at = (name: string): unknown => ownProperty(value, name);
  const generation = at("generation");
  const revision = at("revision");
  const idTokenExpiresAt = at("id_token_expires_at");
  const signedInAt = at("signed_in_at");
  const idToken = optional(at("id_token"));
  const refreshToken = optional(at("refresh_token"));
  const workspace = at("workspace");
  const whole = isJsonObject(value) && version === 1 && isGeneration(generation) && isRevision(revision) &&
    (workspace === null || typeof workspace === "string") && typeof signedInAt === "number" &&
    idToken !== undefined && refreshToken !== undefined && (idToken ?? refreshToken) !== null &&
    (idTokenExpiresAt === null || idToken !== null && typeof idTokenExpiresAt === "number");
  if (!whole) throw malformed();
  return {
    issuer: nonEmpty(at("issuer")),
    clientId: nonEmpty(at("client_id")),
    user: nonEmpty(at("user")),
    workspace,
    subject: nonEmpty(at("subject")),
    generation,
    revision,
    refreshToken,
    idToken,
    // a time beyond every date says nothing
    idTokenExpiresAt: isEpochSeconds(idTokenExpiresAt) ? idTokenExpiresAt : null,
    signedInAt,
    others: withoutFields(value),
  };
}

/** The record with a rotated refresh token or a renewed ID token: the next revision of the same generation. */
export function rotateGrant(
  record: GrantRecord,
  tokens: Partial<Pick<GrantRecord, "refreshToken" | "idToken" | "idTokenExpiresAt">>,
): GrantRecord {
  return { ...record, ...tokens, revision: record.revision + 1 };
}

function withoutFields(value: Readonly<Record<string, unknown>>): JsonObject {
  const others = Object.entries(value).filter(([name]) => !FIELDS.includes(name));
  return Object.fromEntries(others) as Record<string, JsonValue>;
}

/** A text that is not empty, `null`, or `undefined` for anything else. */
function optional(value: unknown): string | null | undefined {
  if (value === null) return null;
  return typeof value === "string" && value !== "" ? value : undefined;
}

function nonEmpty(value: unknown): string {
  if (typeof value === "string" && value !== "") return value;
  throw malformed();
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw malformed(); // the parser's own error would quote the record
  }
}

function malformed(): EnterpriseError {
  return new EnterpriseError(
    "GRANT_MALFORMED",
    "Cannot read the stored sign-in: it is damaged. Sign in again.",
  );
}
