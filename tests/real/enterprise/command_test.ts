/**
 * `deno task idp` says what a client needs, shows requests without their secrets, and ends when it is told to.
 *
 * @module
 */

import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { test } from "node:test";
import { path } from "../../fixtures/codex_host/servers.ts";

test("deno task idp starts, shows a request and stops", async () => {
  await using child = new Deno.Command(Deno.execPath(), {
    args: [
      "run",
      "-A",
      "--config",
      path("deno.json"),
      path("scripts/demo/idp.ts"),
      "--profile",
      "auth0-slash",
    ],
    env: { NO_COLOR: "1" },
    stdin: "null",
    stdout: "piped",
    stderr: "null",
  }).spawn();
  const reader = child.stdout.pipeThrough(new TextDecoderStream()).getReader();
  let text = "";
  const until = async (part: string): Promise<void> => {
    while (!text.includes(part)) {
      const { done, value } = await reader.read();
      assert(!done, text);
      text += value;
    }
  };
  await until("Requests (Ctrl-C ends):");
  const issuer = /^issuer = "(.*)"$/m.exec(text.replaceAll("  ", ""))?.[1] ?? "";
  assert(issuer.endsWith("/"));
  assertStringIncludes(text, "codex-idp-client (client_secret_post)");
  assertStringIncludes(text, 'auth = "ema_auth"');
  const response = await fetch(`${issuer}.well-known/openid-configuration`);
  assertEquals((await response.json() as { issuer: string }).issuer, issuer);
  await until("idp.metadata GET 200");
  child.kill("SIGINT");
  assertEquals((await child.status).code, 0);
  await reader.cancel();
});

test("deno task idp names what it does not know", async () => {
  const { code, stdout, stderr } = await new Deno.Command(Deno.execPath(), {
    args: [
      "run",
      "-A",
      "--config",
      path("deno.json"),
      path("scripts/demo/idp.ts"),
      "--switch",
      "no-such-thing",
    ],
    env: { NO_COLOR: "1" },
  }).output();
  assertEquals(code, 2);
  assertEquals(new TextDecoder().decode(stdout), "");
  assertStringIncludes(new TextDecoder().decode(stderr), "There is no switch no-such-thing");
});
