/**
 * Reads a private key for `private_key_jwt`: a JWK as JSON text, or PKCS#8 in PEM. The key is not extractable, and
 * nothing of its text is in an error, because there is none: what cannot be read is `null`.
 *
 * The assertion itself is built and signed by oauth4webapi. RFC 7517, 4; RFC 7518, 3.1; RFC 7468, 10.
 *
 * @module
 */

import type { PrivateKey } from "oauth4webapi";
import { isJsonObject, ownProperty } from "../../../core/json/value.ts";

type ImportAlgorithm = RsaHashedImportParams | EcKeyImportParams | { readonly name: "Ed25519" };

/** How each algorithm is known to Web Crypto, in the order in which a PEM without a name is tried. */
const ALGORITHMS: Readonly<Record<string, ImportAlgorithm>> = {
  ES256: { name: "ECDSA", namedCurve: "P-256" },
  ES384: { name: "ECDSA", namedCurve: "P-384" },
  ES512: { name: "ECDSA", namedCurve: "P-521" },
  Ed25519: { name: "Ed25519" },
  RS256: { name: "RSASSA-PKCS1-v1_5", hash: "SHA-256" },
  RS384: { name: "RSASSA-PKCS1-v1_5", hash: "SHA-384" },
  RS512: { name: "RSASSA-PKCS1-v1_5", hash: "SHA-512" },
  PS256: { name: "RSA-PSS", hash: "SHA-256" },
  PS384: { name: "RSA-PSS", hash: "SHA-384" },
  PS512: { name: "RSA-PSS", hash: "SHA-512" },
};

/** By what a JWK without `alg` is used. */
const BY_TYPE: Readonly<Record<string, string>> = {
  "EC P-256": "ES256",
  "EC P-384": "ES384",
  "EC P-521": "ES512",
  "OKP Ed25519": "Ed25519",
  "RSA": "RS256",
};

/** The key in `text`, with the `kid` of a JWK; `null` when there is none that can sign. */
export async function readPrivateKey(text: string): Promise<PrivateKey | null> {
  const trimmed = text.trim();
  return trimmed.startsWith("{") ? await readJwk(trimmed) : await readPem(trimmed);
}

async function readJwk(text: string): Promise<PrivateKey | null> {
  const jwk = parse(text);
  if (!isJsonObject(jwk) || typeof ownProperty(jwk, "d") !== "string") return null;
  const [kty, crv, alg, kid] = ["kty", "crv", "alg", "kid"].map((name) => ownProperty(jwk, name));
  const named = alg === "EdDSA" ? "Ed25519" : alg;
  const type = typeof crv === "string" ? `${String(kty)} ${crv}` : String(kty);
  const name = typeof named === "string" ? named : BY_TYPE[type];
  const algorithm = name !== undefined && Object.hasOwn(ALGORITHMS, name) ? ALGORITHMS[name] : undefined;
  if (algorithm === undefined) return null;
  // What an issuer of keys wrote about their use would only keep them from being imported.
  const { key_ops: _operations, use: _use, ext: _extractable, alg: _algorithm, ...members } = jwk;
  const key = await imported(() =>
    crypto.subtle.importKey("jwk", members as JsonWebKey, algorithm, false, ["sign"])
  );
  if (key === null) return null;
  return typeof kid === "string" && kid !== "" ? { key, kid } : { key };
}

async function readPem(text: string): Promise<PrivateKey | null> {
  const body = /^-----BEGIN PRIVATE KEY-----([\sA-Za-z0-9+/=]+)-----END PRIVATE KEY-----$/.exec(text)?.[1];
  const bytes = body === undefined ? null : bytesOfBase64(body.replace(/\s/g, ""));
  if (bytes === null) return null;
  for (const name of ["ES256", "ES384", "ES512", "Ed25519", "RS256"]) {
    const algorithm = ALGORITHMS[name];
    if (algorithm === undefined) continue;
    const key = await imported(() => crypto.subtle.importKey("pkcs8", bytes, algorithm, false, ["sign"]));
    if (key !== null) return { key };
  }
  return null;
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    if (error instanceof SyntaxError || error instanceof RangeError) return undefined;
    throw error;
  }
}

function bytesOfBase64(text: string): Uint8Array<ArrayBuffer> | null {
  if (text.length % 4 !== 0 || !/^[A-Za-z0-9+/]+={0,2}$/.test(text)) return null;
  return Uint8Array.from(atob(text), (character) => character.charCodeAt(0));
}

/** The key, or `null`: Web Crypto says in various ways that it cannot read one, and its errors may quote it. */
async function imported(read: () => Promise<CryptoKey>): Promise<CryptoKey | null> {
  try {
    return await read();
  } catch (error) {
    if (error instanceof Error) return null;
    throw error;
  }
}
