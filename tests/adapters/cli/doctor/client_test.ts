import { assertEquals, assertThrows } from "@std/assert";
import { test } from "node:test";
import { checkSecret, methodText } from "../../../../adapters/cli/doctor/client.ts";
import type { SecretReference } from "../../../../core/enterprise/config/secret.ts";
import { EnterpriseError } from "../../../../core/enterprise/error.ts";

const CLIENT = { clientId: "c", secret: null, privateKey: null, method: null };
const secret = { kind: "environment", name: "IDP_SECRET" } as const;

test("the method that both know, or why there is none", () => {
  const text = (changes: object, clientMethods: readonly string[] | null) =>
    methodText({ ...CLIENT, ...changes }, { clientMethods });
  assertEquals(text({}, null), "the client is a public one");
  assertEquals(
    text({ secret }, ["client_secret_post"]),
    "the client authenticates by client_secret_post, which it lists",
  );
  assertEquals(text({ secret }, null).endsWith("which it neither lists nor rules out"), true);
  assertEquals(assertThrows(() => text({}, ["private_key_jwt"]), EnterpriseError).code, "CLIENT_REFUSED");
});

test("a secret is there, missing, somebody's to type, or none at all; it is never told", async () => {
  const missing = new EnterpriseError(
    "CONFIGURATION_REFUSED",
    "Cannot read a secret: IDP_SECRET is not set. Set it.",
    {
      reason: "SECRET_MISSING",
    },
  );
  const look = async (reference: SecretReference | null, there = true) =>
    await checkSecret({ secret: reference, privateKey: null }, {
      subject: "acme",
      field: "f",
      readSecret: () => there ? Promise.resolve("hush-hush") : Promise.reject(missing),
      signal: new AbortController().signal,
    });
  assertEquals(await look(null), []);
  assertEquals(await look(secret), [
    { id: "client-secret", subject: "acme", status: "ok", found: "it is there (in a variable)" },
  ]);
  assertEquals((await look({ kind: "stdin" }, false))[0]?.status, "skipped");
  const [finding] = await look(secret, false);
  assertEquals([finding?.status, finding?.code, finding?.found], [
    "failed",
    "CONFIGURATION_REFUSED",
    "Cannot read a secret: IDP_SECRET is not set. Set it",
  ]);
});
