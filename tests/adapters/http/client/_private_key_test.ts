/**
 * Private keys are read from a JWK or from PKCS#8, and sign with the algorithm that they are for.
 *
 * @module
 */

import { assert, assertEquals } from "@std/assert";
import { exportJWK, exportPKCS8, generateKeyPair } from "jose";
import { test } from "node:test";
import { readPrivateKey } from "../../../../adapters/http/client/_private_key.ts";

const ALGORITHMS: Readonly<Record<string, string>> = {
  ES256: "ECDSA",
  ES384: "ECDSA",
  Ed25519: "Ed25519",
  RS256: "RSASSA-PKCS1-v1_5",
};

test("a JWK and a PKCS#8 of each kind are read, and the key stays inside", async () => {
  for (const [name, expected] of Object.entries(ALGORITHMS)) {
    const { privateKey } = await generateKeyPair(name, { extractable: true });
    const jwk = await exportJWK(privateKey);
    for (const text of [JSON.stringify(jwk), `\n${await exportPKCS8(privateKey)}\n`]) {
      const read = await readPrivateKey(text);
      assertEquals(read?.key.algorithm.name, expected);
      assertEquals(read?.key.extractable, false);
      assertEquals(read?.key.usages, ["sign"]);
      assertEquals(read?.kid, undefined);
    }
  }
});

test("a JWK names its algorithm and its key id; what it says about use is of no account", async () => {
  const { privateKey } = await generateKeyPair("RS256", { extractable: true });
  const jwk = { ...await exportJWK(privateKey), kid: "k1", use: "enc", key_ops: ["verify"], ext: false };
  const names: Readonly<Record<string, [string, string]>> = {
    PS256: ["RSA-PSS", "SHA-256"],
    RS512: ["RSASSA-PKCS1-v1_5", "SHA-512"],
  };
  for (const [alg, [name, hash]] of Object.entries(names)) {
    const read = await readPrivateKey(JSON.stringify({ ...jwk, alg }));
    assertEquals(read?.kid, "k1");
    assertEquals(read?.key.algorithm.name, name);
    assertEquals((read?.key.algorithm as RsaHashedKeyAlgorithm).hash, { name: hash });
  }
  const { privateKey: edwards } = await generateKeyPair("EdDSA", { extractable: true });
  const read = await readPrivateKey(JSON.stringify({ ...await exportJWK(edwards), alg: "EdDSA" }));
  assertEquals(read?.key.algorithm.name, "Ed25519");
});

test("what is no private key is none", async () => {
  const { privateKey, publicKey } = await generateKeyPair("ES256", { extractable: true });
  const jwk = await exportJWK(privateKey);
  const pem = await exportPKCS8(privateKey);
  const texts = [
    "",
    "secret",
    "{",
    "[]",
    "{}",
    JSON.stringify(await exportJWK(publicKey)),
    JSON.stringify({ ...jwk, alg: "HS256" }),
    JSON.stringify({ ...jwk, alg: "constructor" }),
    JSON.stringify({ ...jwk, alg: "RS256" }),
    JSON.stringify({ ...jwk, crv: "secp256k1" }),
    JSON.stringify({ ...jwk, d: "AA" }),
    pem.replaceAll("PRIVATE KEY", "EC PRIVATE KEY"),
    pem.slice(0, -40),
    pem.replace(/\n[A-Za-z0-9+/=]{10}/, "\nAAAAAAAAAA"),
  ];
  for (const text of texts) assertEquals(await readPrivateKey(text), null, text.slice(0, 40));
  assert(await readPrivateKey(pem) !== null);
});
