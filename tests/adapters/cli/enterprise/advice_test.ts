import { assertEquals, assertRejects, assertStrictEquals } from "@std/assert";
import { test } from "node:test";
import { commandOf, withAdvice } from "../../../../adapters/cli/enterprise/advice.ts";
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
