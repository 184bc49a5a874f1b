import { assertEquals, assertRejects, assertThrows } from "@std/assert";
import { test } from "node:test";
import { UsageError } from "../../../../adapters/cli/program/exit_code.ts";
import { inTime, wayOf, WAYS } from "../../../../adapters/cli/enterprise/login_ways.ts";
import { EnterpriseError } from "../../../../core/enterprise/error.ts";
import { providerOf } from "../../http/sign_in/fake_provider.ts";

const flags = (...names: readonly string[]) => ({ has: (name: string) => names.includes(name) });

test("one flag chooses the way, none means a browser", () => {
  assertEquals(wayOf(flags()), "browser");
  for (const way of WAYS) assertEquals(wayOf(flags(way, "yes")), way);
});

test("two ways exclude each other", () => {
  const error = assertThrows(() => wayOf(flags("id-token-stdin", "device")), UsageError);
  assertEquals(error.message, "--device and --id-token-stdin exclude each other.");
});

test("a person who does not answer is waited for no longer than that", async () => {
  const never = new Promise<string>(() => {});
  const deadline = new AbortController();
  const context = { provider: providerOf({ name: "acme" }), signal: deadline.signal };
  assertEquals(await inTime(Promise.resolve("came"), context), "came");
  const waiting = inTime(never, context);
  deadline.abort();
  for (const one of [waiting, inTime(never, context)]) {
    const error = await assertRejects(() => one, EnterpriseError);
    assertEquals([error.code, error.message.endsWith("Run: codex-mcp login --idp acme")], [
      "SIGN_IN_REQUIRED",
      true,
    ]);
  }
  const hint = "Look at it. ";
  const hinted = await assertRejects(() => inTime(never, { ...context, hint }), EnterpriseError);
  assertEquals(hinted.message.endsWith("in time. Look at it. Run: codex-mcp login --idp acme"), true);
});
