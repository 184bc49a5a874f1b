/**
 * `codex-mcp exec`, end to end in the real sandbox.
 *
 * @module
 */

import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { join } from "node:path";
import { test } from "node:test";
import { buildSandboxState } from "../../../core/sandbox/presets.ts";
import { realCodex } from "../../fixtures/codex_host/codex.ts";
import { listen } from "../../fixtures/codex_host/listener.ts";
import { createPlace, exists, type Place } from "../../fixtures/codex_host/place.ts";
import { observeCommand } from "../../fixtures/codex_host/servers.ts";
import { LIMIT } from "../codex/turns.ts";
import { type CommandLineOptions, type CommandLineResult, runCommandLine } from "../command_line.ts";

/** Runs `exec` with the Codex CLI of this toolchain. */
async function exec(
  place: Place,
  words: readonly string[],
  options: CommandLineOptions = {},
): Promise<CommandLineResult> {
  return await runCommandLine(place, ["exec", "--codex", await realCodex(), ...words], options);
}

test("the command's status and its two streams pass through", LIMIT, async () => {
  await using place = await createPlace();
  assertEquals(await exec(place, ["--", "/bin/sh", "-c", "echo out; echo err >&2"]), {
    code: 0,
    stdout: "out\n",
    stderr: "err\n",
  });
  assertEquals(await exec(place, ["--", "/bin/sh", "-c", "exit 3"]), { code: 3, stdout: "", stderr: "" });
  const missing = await exec(place, ["--directory", ".", "--", "codex-mcp-no-such-command"]);
  assertEquals(missing.code, 127, missing.stderr);
  const killed = await exec(place, ["--", "/bin/sh", "-c", "kill -KILL $$"]);
  assertEquals(killed.code, 137, killed.stderr);
});

test("a command that does not exist ends as codex sandbox itself ends then", LIMIT, async () => {
  await using place = await createPlace();
  const codex = await realCodex();
  const state = buildSandboxState("read-only", {
    directory: place.workspace,
    linuxSandboxExecutable: codex,
  });
  const command = ["--", "codex-mcp-no-such-command"];
  const direct = await new Deno.Command(codex, {
    args: ["sandbox", "--sandbox-state-json", JSON.stringify(state), ...command],
    env: { CODEX_HOME: place.home },
    stdin: "null",
  }).output();
  const chain = await exec(place, command);
  assert(chain.code !== 0);
  assertEquals(chain.code, direct.code);
  assertStringIncludes(chain.stderr, "No such file or directory");
});

/** What each policy lets a command do: write inside, write outside, connect. */
const POLICIES = {
  "read-only": [false, false, false],
  "workspace-write": [true, false, false],
  "danger-full-access": [true, true, true],
} as const;

for (const [policy, [inside, outside, network]] of Object.entries(POLICIES)) {
  test(`--policy ${policy} holds`, LIMIT, async () => {
    await using place = await createPlace();
    await using listener = listen();
    const files = [join(place.workspace, "note"), join(place.outside, "note")] as const;
    const command = observeCommand(...files, listener.port);
    const result = await exec(place, ["--policy", policy, "--", ...command]);
    assertEquals(result.code, 0, result.stderr);
    assertEquals(JSON.parse(result.stdout), { directory: place.workspace, inside, outside, network });
    assertEquals([await exists(files[0]), await exists(files[1])], [inside, outside]);
    assertEquals(listener.connections(), network ? 1 : 0);
    const notice = policy === "danger-full-access" ? "without a sandbox" : "";
    assertStringIncludes(result.stderr, notice);
    if (notice === "") assertEquals(result.stderr, "");
  });
}

test("read-only is the policy when none is named, and --cwd names the project", LIMIT, async () => {
  await using place = await createPlace();
  const script = "pwd; if (: > note) 2> /dev/null; then echo written; else echo denied; fi";
  const result = await exec(place, ["--cwd", place.outside, "--", "/bin/sh", "-c", script]);
  assertEquals(result.stdout, `${place.outside}\ndenied\n`);
  assertEquals(await exists(join(place.outside, "note")), false);
});

test("--directory changes to a directory inside the sandbox", LIMIT, async () => {
  await using place = await createPlace();
  const inner = join(place.workspace, "an inner one");
  await Deno.mkdir(inner);
  for (const directory of [inner, "an inner one"]) {
    const result = await exec(place, ["--directory", directory, "--", "/bin/pwd"]);
    assertEquals(result, { code: 0, stdout: `${inner}\n`, stderr: "" });
  }
  const words = ["--policy", "workspace-write", "--directory", place.outside];
  const outside = await exec(place, [...words, "--", "/bin/sh", "-c", 'pwd; : > "$PWD/note"']);
  assertStringIncludes(outside.stdout, place.outside);
  assertEquals(await exists(join(place.outside, "note")), false);
});

test("--stdin passes standard input on, which is empty without it", LIMIT, async () => {
  await using place = await createPlace();
  const input = "first\nsecond, with \u00fcml\u00e4uts\n";
  assertEquals((await exec(place, ["--stdin", "--", "/bin/cat"], { input })).stdout, input);
  assertEquals((await exec(place, ["--", "/bin/cat"], { input })).stdout, "");
});

test("--json prints one document: a result, or an error with its code", LIMIT, async () => {
  await using place = await createPlace();
  const ran = await exec(place, ["--json", "--", "/bin/sh", "-c", "echo out; echo err >&2; exit 4"]);
  assertEquals(ran.code, 4);
  assertEquals(ran.stderr, "");
  assertEquals(JSON.parse(ran.stdout), {
    exitCode: 4,
    signal: null,
    stdout: "out\n",
    stderr: "err\n",
    truncated: false,
    timedOut: false,
    sandboxed: true,
    setupFailed: "unknown",
    modifiers: [],
  });
  const refused = await exec(place, ["--json", "--", ""]);
  assertEquals(refused.code, 125);
  assertEquals(JSON.parse(refused.stdout).error.code, "COMMAND_INVALID");
});

test("--disable-network closes the network that a policy file leaves open", LIMIT, async () => {
  await using place = await createPlace();
  await using listener = listen();
  const state = buildSandboxState("workspace-write", {
    directory: place.workspace,
    linuxSandboxExecutable: await realCodex(),
    network: true,
  });
  const file = join(place.folder, "policy.json");
  await Deno.writeTextFile(file, JSON.stringify(state));
  const files = [join(place.workspace, "note"), join(place.outside, "note")] as const;
  const command = observeCommand(...files, listener.port);
  const open = await exec(place, ["--policy", file, "--", ...command]);
  assertEquals(JSON.parse(open.stdout).network, true);
  const closed = await exec(place, ["--policy", file, "--disable-network", "--", ...command]);
  assertEquals(JSON.parse(closed.stdout).network, false);
  assertEquals(listener.connections(), 1);
});

test("--policy FILE goes out as its exact text, and the real sandbox takes it", LIMIT, async () => {
  await using place = await createPlace();
  const state = JSON.stringify(
    buildSandboxState("read-only", {
      directory: place.workspace,
      linuxSandboxExecutable: await realCodex(),
    }),
  );
  // order, blanks, escapes and numbers that JavaScript would not write back
  const text = `{ "zz":9007199254740993 ,"aa" : [1.0,1e2, -0],"note":"\\u0041\\/\u00fc",  ${state.slice(1)}`;
  const file = join(place.folder, "policy.json");
  await Deno.writeTextFile(file, `${text}\n`);
  const recording = join(place.folder, "recording-codex");
  const record = join(place.folder, "arguments");
  await Deno.writeTextFile(
    recording,
    `#!/bin/sh\nprintf '%s\\0' "$@" > '${record}'\nexec '${await realCodex()}' "$@"\n`,
  );
  await Deno.chmod(recording, 0o755);
  const note = join(place.workspace, "note");
  const command = ["/bin/sh", "-c", 'echo ran; : > "$1"', "sh", note];
  const result = await runCommandLine(place, [
    "exec",
    "--codex",
    recording,
    "--policy",
    file,
    "--",
    ...command,
  ]);
  assertEquals(result.stdout, "ran\n", result.stderr);
  assertEquals(await exists(note), false);
  const args = (await Deno.readTextFile(record)).split("\0").slice(0, -1);
  assertEquals(args, ["sandbox", "--sandbox-state-json", text, "--", ...command]);
});

test("a policy file that is not JSON is refused", LIMIT, async () => {
  await using place = await createPlace();
  const file = join(place.folder, "policy.json");
  await Deno.writeTextFile(file, "{");
  const result = await exec(place, ["--policy", file, "--", "/bin/echo", "ran"]);
  assertEquals([result.code, result.stdout], [125, ""]);
  assertStringIncludes(result.stderr, "STATE_INEXACT: ");
});
