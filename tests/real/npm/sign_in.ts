/**
 * The commands that sign in, of the installed package, with what they need of the machine: a real identity provider
 * and a real keyring, whose native module npm has installed. `install_test.ts` runs these tests with its installation.
 *
 * @module
 */

import { assertEquals, assertMatch } from "@std/assert";
import { test } from "node:test";
import { type CommandResult, run } from "../../../scripts/command.ts";
import { startEnterpriseBed } from "../../fixtures/enterprise/mod.ts";
import { KeyringSession } from "../keyring/session.ts";
import type { Installation } from "./installation.ts";

/** Adds the test for a Node, whose path `find` gives. */
export function testSignIn(name: string, find: () => Promise<string>, installed: () => Installation): void {
  test(`login, status, token, tools and logout work on ${name}`, { timeout: 120_000 }, async () => {
    await using bed = await startEnterpriseBed({ profile: "keycloak-confidential" });
    const session = await KeyringSession.start("unlocked");
    try {
      const home = `${session.folder}/codex`;
      const workspace = `${session.folder}/workspace`;
      await Deno.mkdir(home);
      await Deno.mkdir(`${workspace}/.git`, { recursive: true });
      await Deno.writeTextFile(`${home}/config.toml`, bed.configuration(), { mode: 0o600 });
      const environment = { ...session.environment, CODEX_HOME: home };
      const program = await find();
      const { program: command } = installed();
      const commandLine = (...words: readonly string[]): Promise<CommandResult> =>
        run(program, [command, ...words], { directory: workspace, environment });

      const before = await commandLine("status");
      assertEquals(before.code, 4, before.output);
      const login = new Deno.Command(program, {
        args: [command, "login", "--no-browser", "--yes"],
        cwd: workspace,
        env: { NO_COLOR: "1", ...environment },
        stdin: "piped",
        stdout: "piped",
        stderr: "piped",
      }).spawn();
      const [shown, others] = login.stderr.tee();
      const page = await pick(shown, /^(http:\S+\/auth\S*)$/m);
      const writer = login.stdin.getWriter();
      await writer.write(new TextEncoder().encode(`${(await bed.browse(page)).href}\n`));
      const [{ code }, said, told] = await Promise.all([
        login.status,
        new Response(login.stdout).text(),
        new Response(others).text(),
      ]);
      await writer.close().catch(() => undefined); // it may have ended before
      assertEquals(code, 0, told);
      assertMatch(said, /^Signed in as alice@acme\.example \(user-alice\), workspace acme at /);

      const status = JSON.parse((await commandLine("status", "--json")).stdout);
      assertEquals(status.servers[0].status.kind, "ready");
      const token = await commandLine("token", "notes");
      assertEquals([token.code, /^\S+\n$/.test(token.stdout)], [0, true]);
      const tools = await commandLine("tools", "notes", "--json");
      assertEquals(tools.code, 0, tools.output);
      const logout = await commandLine("logout");
      assertEquals(logout.code, 0, logout.output);
      assertEquals((await commandLine("token", "notes")).code, 4);
    } finally {
      await session.stop();
    }
  });
}

/** The first group of `pattern` in what comes. */
async function pick(stream: ReadableStream<Uint8Array>, pattern: RegExp): Promise<string> {
  let text = "";
  for await (const chunk of stream.pipeThrough(new TextDecoderStream())) {
    text += chunk;
    const [, found] = pattern.exec(text) ?? [];
    if (found !== undefined) return found;
  }
  throw new Error(`${pattern} never came, but ${JSON.stringify(text)}`);
}
