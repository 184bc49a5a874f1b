import { assertEquals, assertRejects } from "@std/assert";
import { test } from "node:test";
import { readSecretFrom, type SecretPlaces } from "../../../adapters/configuration/read_secret.ts";
import { EnterpriseError } from "../../../core/enterprise/error.ts";

const PLACES: SecretPlaces = {
  environment: { SET: "from the environment" },
  layers: [],
  keyring: () => Promise.resolve(null),
  typed: () => Promise.resolve("typed"),
};

test("what is typed counts where there is a standard input; an empty secret is none", async () => {
  assertEquals(await readSecretFrom({ kind: "environment", name: "SET" }, PLACES), "from the environment");
  assertEquals(await readSecretFrom({ kind: "stdin" }, PLACES), "typed");
  const said: string[] = [];
  for (const typed of [() => Promise.resolve(""), null]) {
    const read = (): Promise<string> => readSecretFrom({ kind: "stdin" }, { ...PLACES, typed });
    const error = await assertRejects(read, EnterpriseError);
    assertEquals([error.code, error.reason], ["CONFIGURATION_REFUSED", "SECRET_MISSING"]);
    said.push(error.message);
  }
  assertEquals(said, [
    "Cannot read a secret: nothing came on standard input.",
    "Cannot read a secret: this host has no standard input. Name a variable or a keyring item.",
  ]);
});

test("trouble with the keyring comes through as it is", async () => {
  const locked = new EnterpriseError("KEYRING_LOCKED", "Cannot read the keyring: it is locked");
  const places = { ...PLACES, keyring: () => Promise.reject(locked) };
  const read = (): Promise<string> => readSecretFrom({ kind: "keyring", name: "item" }, places);
  assertEquals(await assertRejects(read), locked);
});
