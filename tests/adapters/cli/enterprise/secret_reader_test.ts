import { assert, assertEquals, assertRejects } from "@std/assert";
import { test } from "node:test";
import { secretReader } from "../../../../adapters/cli/enterprise/secret_reader.ts";
import { EnterpriseError } from "../../../../core/enterprise/error.ts";
import type { SecretReference } from "../../../../core/enterprise/config/secret.ts";

const { signal } = new AbortController();

const LAYER = {
  kind: "user",
  source: "config.toml",
  values: { idp: { client_secret: "inline-secret" } },
  codexFile: true,
} as const;

function reader(items: Readonly<Record<string, string>> = {}) {
  return secretReader({
    environment: { IDP_SECRET: "environment-secret", EMPTY: "" },
    layers: [LAYER],
    input: {
      line: () => Promise.resolve(null),
      secret: () => Promise.resolve("typed-secret"),
      confirm: () => Promise.resolve(false),
    },
    keyring: (name) => Promise.resolve(items[name] ?? null),
  });
}

test("each reference is read where it points", async () => {
  const read = reader({ idp: "keyring-secret" });
  const references: readonly (readonly [SecretReference, string])[] = [
    [{ kind: "environment", name: "IDP_SECRET" }, "environment-secret"],
    [{ kind: "keyring", name: "idp" }, "keyring-secret"],
    [{ kind: "stdin" }, "typed-secret"],
    [{ kind: "inline", source: "config.toml", path: ["idp", "client_secret"] }, "inline-secret"],
  ];
  for (const [reference, secret] of references) assertEquals(await read(reference, signal), secret);
});

test("standard input is asked once for each registration", async () => {
  let asked = 0;
  const read = secretReader({
    environment: {},
    layers: [],
    input: {
      line: () => Promise.resolve(null),
      secret: () => Promise.resolve(`secret ${asked += 1}`),
      confirm: () => Promise.resolve(false),
    },
    keyring: () => Promise.resolve(null),
  });
  const [one, other] = [{ kind: "stdin" }, { kind: "stdin" }] as const;
  assertEquals([await read(one, signal), await read(other, signal), await read(one, signal)], [
    "secret 1",
    "secret 2",
    "secret 1",
  ]);
});

test("what is not there is named, and how to bring it", async () => {
  const references: readonly (readonly [SecretReference, string])[] = [
    [{ kind: "environment", name: "MISSING" }, "MISSING"],
    [{ kind: "environment", name: "EMPTY" }, "EMPTY"],
    [{ kind: "environment", name: "toString" }, "toString"],
    [{ kind: "keyring", name: "missing" }, '"missing"'],
    [{ kind: "inline", source: "other.toml", path: ["idp", "client_secret"] }, "configuration"],
  ];
  for (const [reference, word] of references) {
    const error = await assertRejects(() => reader()(reference, signal), EnterpriseError);
    assertEquals([error.code, error.reason], ["CONFIGURATION_REFUSED", "SECRET_MISSING"]);
    assert(error.message.includes(word) && !error.message.includes("-secret"), error.message);
  }
});
