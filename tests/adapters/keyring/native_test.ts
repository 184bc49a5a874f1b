import { assert, assertEquals } from "@std/assert";
import { test } from "node:test";
import { keyringError, redact, refusalReason } from "../../../adapters/keyring/native.ts";

test("each reason has a code of its kind and a sentence without a secret", () => {
  const codes = {
    KEYRING_ABSENT: ["platform", "permission", "module", "no-service", "no-collection"],
    KEYRING_LOCKED: ["silent", "locked", "denied"],
    KEYRING_UNRELIABLE: ["ambiguous", "mismatch"],
  } as const;
  for (const [code, reasons] of Object.entries(codes)) {
    for (const reason of reasons) {
      const error = keyringError("Keychain", reason, { cause: new TypeError("a secret") });
      assertEquals([error.code, error.reason, error.cause], [code, reason, { name: "TypeError" }]);
      // the state alone: what to do is said once, where a command ends with it
      assert(/^Cannot use the keyring "Keychain": [a-zD][^;.]+$/.test(error.message), error.message);
    }
  }
});

test("a keyring whose name is not known has none", () => {
  assertEquals(
    keyringError("keyring", "permission").message,
    "Cannot use the keyring: Deno was started without --allow-ffi",
  );
});

test("what is kept of an error is the name of its class", () => {
  class Odd extends Error {
    override name = "a secret of many words";
  }
  assertEquals(redact(new Odd()), { name: "Error" });
  assertEquals(redact(new RangeError("a secret")), { name: "RangeError" });
  assertEquals([redact("a secret"), redact(null)], [{ name: "string" }, { name: "object" }]);
});

test("refusals as the module words them", () => {
  const storage = "Couldn't access platform storage:";
  const texts = {
    [`${storage} Secret Service: unlock prompt was dismissed`]: "locked",
    [`${storage} User interaction is not allowed.`]: "locked",
    [`${storage} User canceled the operation.`]: "locked",
    [`${storage} Secret Service: no result found`]: "no-collection",
    [`${storage} anything else`]: "denied",
    "Platform failure: DBus error: The name org.freedesktop.secrets was not provided by any .service files":
      "no-service",
    "Platform failure: DBus error: Failed to connect to socket /x: No such file or directory": "no-service",
    "Platform failure: DBus error: Did not receive a reply. Possible causes include: …": "silent",
    "Entry is matched by multiple credentials: []": "ambiguous",
    "": "denied",
  };
  for (const [text, reason] of Object.entries(texts)) {
    assertEquals(refusalReason(new Error(text)), reason, text);
  }
  assertEquals(refusalReason("no error"), "denied");
});
