import { assert, assertEquals } from "@std/assert";
import { webcrypto } from "node:crypto";
import { test } from "node:test";
import { createMemoryKeyring } from "../../../adapters/keyring/memory.ts";
import { KeyringSecrets } from "../../../adapters/keyring/secrets.ts";
import { KEY, loadLock } from "./records.ts";

const { signal } = new AbortController();

function open(): KeyringSecrets {
  return new KeyringSecrets({
    keyring: createMemoryKeyring(),
    folder: "/nowhere",
    loadLock,
    digest: { sha256: async (bytes) => new Uint8Array(await webcrypto.subtle.digest("SHA-256", bytes)) },
  });
}

test("the same client has the same store, another one another", async () => {
  const secrets = open();
  const client = { issuer: "https://idp.example", client: { clientId: "c" } };
  const one = await secrets.grants(client);
  assert(one === await secrets.grants({ ...client }));
  assert(one !== await secrets.grants({ ...client, issuer: "https://idp.example/" }));
  assert(one !== await secrets.grants({ ...client, client: { clientId: "d" } }));
  assertEquals([one.owned, secrets.backend], [true, "memory"]);
});

test("a secret of a configuration is read by its name, and no grant is one", async () => {
  const secrets = open();
  const { keyring } = secrets;
  await keyring.write({ service: "codex-mcp-secret", account: "client" }, { secret: "s", signal });
  await keyring.write({ service: "codex-mcp", account: KEY }, { secret: "a grant", signal });
  assertEquals(await secrets.secret("client", signal), "s");
  assertEquals(await secrets.secret(KEY, signal), null);
});
