/**
 * A certificate that nobody trusts, made on the spot: self-signed, with a key that is never stored. Who accepts it
 * checks no certificates. X.509 in DER, written out: RFC 5280, 4.1; RFC 5480, 2; RFC 7468, 5 and 10.
 *
 * What it is shown to is decided in `sending.ts`.
 *
 * @module
 */

/** A certificate and its key, both in PEM. */
export interface CertifiedPair {
  /** The certificate. */
  readonly cert: string;
  /** Its private key. */
  readonly key: string;
}

/** ASN.1 tags. */
const TAG = {
  integer: 0x02,
  bits: 0x03,
  object: 0x06,
  utcTime: 0x17,
  sequence: 0x30,
  version: 0xa0,
} as const;

/** 1.2.840.10045.4.3.2: ECDSA with SHA-256. */
const SIGNATURE: readonly number[] = [0x2a, 0x86, 0x48, 0xce, 0x3d, 0x04, 0x03, 0x02];

/** Makes one. */
export async function createSelfSigned(): Promise<CertifiedPair> {
  const curve = { name: "ECDSA", namedCurve: "P-256" };
  const { publicKey, privateKey } = await crypto.subtle.generateKey(curve, true, ["sign", "verify"]);
  const algorithm = der(TAG.sequence, der(TAG.object, Uint8Array.from(SIGNATURE)));
  const nobody = der(TAG.sequence);
  const content = der(
    TAG.sequence,
    der(TAG.version, der(TAG.integer, Uint8Array.of(2))), // version 3
    der(TAG.integer, Uint8Array.of(1)),
    algorithm,
    nobody,
    der(TAG.sequence, time("200101000000Z"), time("491231235959Z")),
    nobody,
    new Uint8Array(await crypto.subtle.exportKey("spki", publicKey)),
  );
  const hash = { name: "ECDSA", hash: "SHA-256" };
  const signed = new Uint8Array(await crypto.subtle.sign(hash, privateKey, content));
  const signature = der(TAG.sequence, integer(signed.subarray(0, 32)), integer(signed.subarray(32)));
  const certificate = der(
    TAG.sequence,
    content,
    algorithm,
    der(TAG.bits, Uint8Array.of(0), signature), // no bit of the last byte is unused
  );
  return {
    cert: pem("CERTIFICATE", certificate),
    key: pem("PRIVATE KEY", new Uint8Array(await crypto.subtle.exportKey("pkcs8", privateKey))),
  };
}

/** One value: tag, length, content. */
function der(tag: number, ...parts: readonly Uint8Array[]): Uint8Array<ArrayBuffer> {
  const length = parts.reduce((sum, part) => sum + part.length, 0);
  const head = length < 0x80
    ? [tag, length]
    : length < 0x100
    ? [tag, 0x81, length]
    : [tag, 0x82, length >> 8, length & 0xff];
  const value = new Uint8Array(head.length + length);
  value.set(head);
  let at = head.length;
  for (const part of parts) {
    value.set(part, at);
    at += part.length;
  }
  return value;
}

/** A positive number: as short as can be, and not to be taken for a negative one. */
function integer(bytes: Uint8Array): Uint8Array {
  const first = bytes.findIndex((byte) => byte !== 0);
  const short = bytes.subarray(first < 0 ? bytes.length - 1 : first);
  return der(TAG.integer, Uint8Array.from((short[0] ?? 0) < 0x80 ? [] : [0]), short);
}

function time(text: string): Uint8Array {
  return der(TAG.utcTime, new TextEncoder().encode(text));
}

function pem(label: string, bytes: Uint8Array): string {
  const lines = btoa(String.fromCharCode(...bytes)).match(/.{1,64}/g) ?? [];
  return [`-----BEGIN ${label}-----`, ...lines, `-----END ${label}-----`, ""].join("\n");
}
