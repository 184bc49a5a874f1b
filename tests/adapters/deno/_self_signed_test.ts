import { assertEquals, assertNotEquals } from "@std/assert";
import { X509Certificate } from "node:crypto";
import { test } from "node:test";
import { createSelfSigned } from "../../../adapters/deno/_self_signed.ts";

test("a certificate that is well-formed, made anew each time, and shown with its own key", async () => {
  // the signature's two numbers have any leading bits: a few of them meet every case
  for (let round = 0; round < 20; round += 1) {
    const { cert, key } = await createSelfSigned();
    const { publicKey, validFrom } = new X509Certificate(cert);
    assertEquals([publicKey.asymmetricKeyType, new Date(validFrom).getUTCFullYear()], ["ec", 2020]);
    const listener = Deno.listenTls({ hostname: "127.0.0.1", port: 0, cert, key });
    listener.close();
  }
  assertNotEquals((await createSelfSigned()).key, (await createSelfSigned()).key);
});
