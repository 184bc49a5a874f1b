import { assertEquals, assertRejects, assertStrictEquals } from "@std/assert";
import { test } from "node:test";
import { adviceOn, commandOf, withAdvice } from "../../../../adapters/cli/enterprise/advice.ts";
import type { KeyringReason } from "../../../../adapters/keyring/keyring.ts";
import { keyringError } from "../../../../adapters/keyring/native.ts";
import { EnterpriseError, type EnterpriseErrorCode } from "../../../../core/enterprise/error.ts";

test("the command to run again names the identity provider that was named", () => {
  assertEquals(commandOf("login", { value: () => undefined }), "codex-mcp login");
  assertEquals(commandOf("logout", { value: (name) => `${name}-x` }), "codex-mcp logout --idp idp-x");
});

const RUN = "codex-mcp logout";

test("trouble that passes is told with the next step, and nothing else of it changes", async () => {
  const steps: readonly (readonly [EnterpriseErrorCode, string])[] = [
    ["KEYRING_ABSENT", "Provide a keyring, then run: codex-mcp logout"],
    ["KEYRING_LOCKED", "Unlock the keyring, then run: codex-mcp logout"],
    ["KEYRING_UNRELIABLE", "Look at it with the system's password manager, then run: codex-mcp logout"],
    ["LOCK_TIMEOUT", "Let the other program end, then run: codex-mcp logout"],
    ["TEMPORARILY_UNAVAILABLE", "Try again later: codex-mcp logout"],
  ];
  for (const [code, step] of steps) {
    const details = {
      reason: "r",
      section: "s",
      leg: "redemption",
      field: "f",
      cause: { name: "c" },
    } as const;
    for (const message of ["Cannot do it: it is not there", "Cannot do it: it is not there."]) {
      const given = new EnterpriseError(code, message, details);
      const error = await assertRejects(() => withAdvice(RUN, () => Promise.reject(given)), EnterpriseError);
      assertEquals(error.message, `Cannot do it: it is not there. ${step}`);
      const { reason, section, leg, field, cause } = error;
      assertEquals([error.code, { reason, section, leg, field, cause }], [code, details]);
    }
  }
});

test("trouble with the keyring is one sentence and one step that fits it", () => {
  const said: Readonly<Record<KeyringReason, string>> = {
    platform:
      "this system has none that is supported. Use a system with one, and there run: codex-mcp logout",
    permission: "Deno was started without --allow-ffi. Start Deno with it, then run: codex-mcp logout",
    module:
      "the module @napi-rs/keyring is not installed for this machine. Install it, then run: codex-mcp logout",
    "no-service":
      "it is not running in this session. Start it (see docs/enterprise/README.md, Machines without a desktop), then run: " +
      "codex-mcp logout",
    "no-collection": "it has no default collection. Create one in the system's password manager, then run: " +
      "codex-mcp logout",
    silent: "it does not answer. Unlock it or start it anew, then run: codex-mcp logout",
    locked: "it is locked. Unlock it, then run: codex-mcp logout",
    denied: "it refused. Allow the access, then run: codex-mcp logout",
    ambiguous: "several items have the same name. Delete them in the system's password manager, then run: " +
      "codex-mcp logout",
    mismatch:
      "what was stored could not be read back. Look at it with the system's password manager, then run: " +
      "codex-mcp logout",
  };
  for (const [reason, sentence] of Object.entries(said)) {
    const error = keyringError("Keychain", reason as KeyringReason);
    assertEquals(adviceOn(error, RUN), `Cannot use the keyring "Keychain": ${sentence}`);
  }
  assertEquals(adviceOn(new EnterpriseError("ADMINISTRATOR_REFUSED", "Cannot do it: denied"), RUN), null);
});

test("a verdict, a step that is there and what is not ours come as they are; so does what was done", async () => {
  for (
    const given of [
      new EnterpriseError("ADMINISTRATOR_REFUSED", "Cannot do it: denied"),
      new EnterpriseError("TEMPORARILY_UNAVAILABLE", "Cannot do it. Run: codex-mcp login"),
      new TypeError("x"),
    ]
  ) {
    assertStrictEquals(await withAdvice(RUN, () => Promise.reject(given)).catch((error) => error), given);
  }
  assertEquals(await withAdvice(RUN, () => Promise.resolve(7)), 7);
});
