/**
 * The script of the README, run as a person runs it: a sandboxed tool on this machine with the real Codex CLI, an
 * enterprise tool of the test bed, and the refusal after the account was switched.
 *
 * @module
 */

import { assert, assertEquals, assertMatch } from "@std/assert";
import { test } from "node:test";
import { startEnterpriseBed } from "../../fixtures/enterprise/mod.ts";
import { foreignTokens } from "../../fixtures/enterprise_cli/tokens.ts";
import { realCodex } from "../../fixtures/codex_host/codex.ts";
import { path, serveCommand } from "../../fixtures/codex_host/servers.ts";
import { removeFolder } from "../../fixtures/remove_folder.ts";

/** Lines of code that the script may have: what is neither empty nor a comment. */
const TWENTY = 20;

const decoder = new TextDecoder();

test("the script of the README calls both tools, and is refused for the other account", {
  timeout: 120_000,
}, async () => {
  await using bed = await startEnterpriseBed({ profile: "conformance" });
  const folder = await Deno.makeTempDir({ prefix: "host-script-" });
  try {
    const [program = "", ...args] = serveCommand();
    const cache = Deno.env.get("DENO_DIR") ?? `${Deno.env.get("HOME")}/.cache/deno`;
    const server = `[mcp_servers.exec]\nenv = { DENO_DIR = ${JSON.stringify(cache)} }\ncommand = ${
      JSON.stringify(program)
    }\nargs = ${JSON.stringify(args)}\n`;
    await Deno.mkdir(`${folder}/.codex`, { mode: 0o700 });
    await Deno.mkdir(`${folder}/project`);
    await Deno.writeTextFile(`${folder}/.codex/config.toml`, `${bed.configuration()}\n${server}`, {
      mode: 0o600,
    });
    const { idToken } = await foreignTokens(bed);
    const script = path("examples/hosts/agent.ts");
    const child = new Deno.Command(Deno.execPath(), {
      args: ["run", "--quiet", "-A", "--config", path("deno.json"), script],
      cwd: `${folder}/project`,
      env: {
        DENO_DIR: cache,
        HOME: folder,
        CODEX_HOME: `${folder}/.codex`,
        XDG_CACHE_HOME: `${folder}/cache`,
        NO_COLOR: "1",
      },
      stdin: "piped",
      stdout: "piped",
      stderr: "piped",
    }).spawn();
    const writer = child.stdin.getWriter();
    await writer.write(new TextEncoder().encode(`${await realCodex()}\n${idToken}`));
    await writer.close();
    const { code, stdout, stderr } = await child.output();
    const [output, errors] = [decoder.decode(stdout), decoder.decode(stderr)];
    assertEquals(code, 0, output + errors);
    assertMatch(output, /^sandboxed: .*exitCode: 2/ms);
    assertMatch(output, /^enterprise: .*alice/ms);
    assertMatch(output, /^refused: (REAUTHORIZATION_REQUIRED|SIGN_IN_REQUIRED) Cannot/m);
    assertMatch(output, /^event: authorization-revoked/m);
    for (const secret of bed.secretsInPlay()) {
      assert(!(output + errors).includes(secret), "a secret was printed");
    }
    assert(!output.includes("permissionProfile"), "the policy was printed");
  } finally {
    await removeFolder(folder);
  }
});

test("the script is as short as the README says", async () => {
  const lines = (await Deno.readTextFile(path("examples/hosts/agent.ts"))).split("\n");
  const code = lines.filter((line) => line.trim() !== "" && !line.trim().startsWith("//"));
  assert(code.length <= TWENTY, `${code.length} lines`);
});
