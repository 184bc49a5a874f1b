import { assert, assertEquals, assertMatch } from "@std/assert";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { CASE_IDS } from "../../../../adapters/cli/check/examine.ts";
import type { Finding } from "../../../../adapters/cli/doctor/finding.ts";
import { runCli, withFolders } from "../cli_process.ts";
import { commandOf } from "../check/faulty.ts";

const LIMIT = { timeout: 120_000 };
const ROOT = new URL("../../../../", import.meta.url);
const EXEC = ["--tool", "exec", "--args", '{"command":["true"]}'];

interface Report {
  readonly ok: boolean;
  readonly checks: readonly Finding[];
}

test("serve keeps the whole contract, in both eras and for what outlives a call", LIMIT, async () => {
  const session = [
    ...["--session-start", "session_start", "--session-start-args", '{"command":["cat"]}'],
    ...["--session-use", "session_read", "--session-use-args", '{"sessionId":"{session}","waitMs":0}'],
  ];
  const { exitCode, report } = await check([...EXEC, ...session], sourceOf("adapters/cli/main.ts", "serve"));
  assertEquals(report.checks.filter(({ status }) => status !== "ok"), []);
  assertEquals([exitCode, report.ok], [0, true]);
});

for (const [name, alone] of [["sdk_v1", true], ["sdk_v2", false], ["no_sdk", true]] as const) {
  test(`the README's server ${name} keeps the contract`, LIMIT, async () => {
    const { exitCode, report } = await check(EXEC, sourceOf(`examples/servers/${name}.ts`));
    const open = report.checks.filter(({ status }) => status !== "ok");
    assertEquals(open.map(({ id, status }) => [id, status]), [
      ...(alone ? [["both-eras", "skipped"]] : []),
      ["long-lived", "skipped"],
    ]);
    assertEquals([exitCode, report.ok], [0, true]);
  });
}

test("an operator who allows commands without a sandbox is found", LIMIT, async () => {
  const { exitCode, report } = await check(
    EXEC,
    sourceOf("adapters/cli/main.ts", "serve", "--allow-unsandboxed"),
  );
  const failed = report.checks.filter(({ status }) => status === "failed");
  assertEquals(failed.map(({ id }) => id), ["ignores-forged-arguments", "refuses-without-launcher"]);
  assertMatch(failed[1]!.found, /without a launcher, it ran the command WITHOUT a sandbox/);
  assertEquals(exitCode, 1);
});

test("modifiers of the operator are part of the vector", LIMIT, async () => {
  const flags = ["--disable-network", "--readable-root", "/usr"];
  const { exitCode } = await check(EXEC, sourceOf("adapters/cli/main.ts", "serve", ...flags));
  assertEquals(exitCode, 0);
});

test(
  "for a person, each case is a line, with its fix when it failed; the exit code says so too",
  LIMIT,
  async () => {
    const { exitCode, stdout, stderr } = await runCli(["check", "--", ...commandOf("never_advertised")]);
    assertEquals([exitCode, stderr], [1, ""]);
    const lines = stdout.trimEnd().split("\n");
    assertEquals(lines.length, CASE_IDS.length + 1);
    assertMatch(
      lines[0]!,
      /^ok {7}starts {21}it speaks MCP 2025-11-25; exec is called with \{"command":\["true"\]\}$/,
    );
    assertMatch(lines[1]!, /^failed {3}advertises {17}the capability is not advertised/);
    assertMatch(lines[2]!, /^ {36}fix: advertise /);
    assert(lines.slice(3).every((line) => /^(ok|skipped) +[a-z-]+ {2,}\S/.test(line)));
  },
);

test("a command line that cannot be meant exits with 2, and starts no case", LIMIT, async () => {
  for (
    const [args, message] of [
      [[], /check needs a server/],
      [["--args", "[1]", "--", "/bin/true"], /--args takes a JSON object/],
      [["--tool", "gone", "--", ...commandOf("correct")], /no tool "gone"; it has: exec/],
      [["--", "no-such-program-anywhere"], /"no-such-program-anywhere" is not on PATH/],
    ] as const
  ) {
    const { exitCode, stdout, stderr } = await runCli(["check", ...args]);
    assertEquals([exitCode, stdout], [2, ""]);
    assertMatch(stderr, message);
  }
});

test("an interrupted check leaves neither server nor folder", LIMIT, async () => {
  await withFolders(["temporary"], async (temporary = "") => {
    const stop = new AbortController();
    const server = [...commandOf("never_answers"), temporary];
    let ran = false;
    const { exitCode, stdout, stderr } = await runCli(["check", "--", ...server], {
      environment: { TMPDIR: temporary },
      signal: stop.signal,
      onOutput: (text) => {
        if (!text.includes("either-name")) return; // the next case waits for an answer in vain
        ran = true;
        stop.abort();
      },
    });
    assertEquals([ran, exitCode], [true, 1]);
    assertMatch(stderr, /Interrupted by SIGTERM/);
    assert(!stdout.includes("no answer"));
    assertEquals([...Deno.readDirSync(temporary)], []);
    assertEquals(processesWith(temporary), []);
  });
});

test("a check whose findings nobody reads any more ends, and leaves nothing", LIMIT, async () => {
  await withFolders(["temporary"], async (temporary = "") => {
    const [program = "", ...args] = [
      ...sourceOf("adapters/cli/main.ts", "check", "--"),
      ...commandOf("correct"),
    ];
    const child = new Deno.Command(program, {
      args: [...args, temporary],
      env: { TMPDIR: temporary },
      stdin: "null",
      stdout: "piped",
      stderr: "piped",
    }).spawn();
    const reader = child.stdout.getReader();
    await reader.read();
    await reader.cancel();
    const errors = await new Response(child.stderr).text();
    assertEquals([errors, (await child.status).code], ["", 1]);
    assertEquals([...Deno.readDirSync(temporary)], []);
    assertEquals(processesWith(temporary), []);
  });
});

test("the guide for authors of servers explains every case", () => {
  const guide = Deno.readTextFileSync(new URL("docs/server.md", ROOT));
  const section = guide.slice(guide.indexOf("## Is it right?"), guide.indexOf("## Between host and server"));
  const rows = section.match(/^\| `.*$/gm)!.map((row) => row.split("|")[1]!).join();
  assertEquals([...rows.matchAll(/`([a-z-]+)`/g)].map(([, id]) => id).sort(), [...CASE_IDS].sort());
});

/** Command lines of processes that hold `text`, where the system shows them. */
function processesWith(text: string): readonly string[] {
  if (!existsSync("/proc/self/cmdline")) return [];
  return readdirSync("/proc").filter((name) => /^\d+$/.test(name)).map((pid) => {
    try {
      return readFileSync(`/proc/${pid}/cmdline`, "utf8");
    } catch {
      return ""; // it has ended since
    }
  }).filter((line) => line.includes(text));
}

async function check(
  flags: readonly string[],
  server: readonly string[],
): Promise<{ readonly exitCode: number | null; readonly report: Report }> {
  const { exitCode, stdout } = await runCli(["check", "--json", ...flags, "--", ...server]);
  return { exitCode, report: JSON.parse(stdout) };
}

function sourceOf(path: string, ...args: readonly string[]): readonly string[] {
  const config = fileURLToPath(new URL("deno.json", ROOT));
  const source = fileURLToPath(new URL(path, ROOT));
  return [Deno.execPath(), "run", "--quiet", "--allow-all", "--config", config, source, ...args];
}
