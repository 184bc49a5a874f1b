import { assert, assertEquals, assertMatch } from "@std/assert";
import { mkdir, readdir, readFile, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";
import { createLauncher } from "../../../fixtures/launchers/mod.ts";
import { Stage } from "../host/stage.ts";

const limit = { timeout: 120_000 };

/** Calls a tool of the one server of a new machine. */
async function onStage(play: (stage: Stage) => Promise<void>, more = ""): Promise<void> {
  await using stage = await Stage.create();
  await stage.configure(stage.server("files", { more }));
  await play(stage);
}

test(
  "arguments go out as they are meant, from a word and from standard input",
  limit,
  () =>
    onStage(async (stage) => {
      for (
        const [words, input] of [
          [["call", "files", "echo", '{"word": "a", "n": 1.50}'], ""],
          [["call", "files", "echo", "-"], '{"word":\n"a", "n": 1.50}'],
          [["call", "--timeout", "60", "files", "--", "echo", '{"word": "a", "n": 1.50}'], ""],
        ] as const
      ) {
        assertEquals(await stage.run(words, { input }), {
          code: 0,
          stdout: '{"word":"a","n":1.5}\n',
          stderr: "",
        });
      }
      // a cold call asks for nothing but the call
      assert(!(await stage.recorded("files")).includes("tools/list"));
      assertEquals((await stage.recorded("files")).filter((method) => method === "tools/call").length, 3);
    }),
);

test(
  "a wrong command line is told with its place, and nothing is started",
  limit,
  () =>
    onStage(async (stage) => {
      const rows: readonly (readonly [readonly string[], RegExp])[] = [
        [["call"], /Which server\?/],
        [["call", "files"], /Which tool\? .*codex-mcp tools files/],
        [["call", "files", "echo", "{", "}"], /one JSON object/],
        [["call", "files", "echo", '{"a": 1,}'], /no JSON at line 1, column 9\./],
        [
          ["call", "files", "echo", "[1]"],
          /must be a JSON object, and an array begins at line 1, column 1\./,
        ],
        [
          ["call", "files", "echo", '{"id": 9007199254740993}'],
          /changed on the way: "9007199254740993" has more digits/,
        ],
        [["call", "files", "echo", "--nope"], /There is no --nope/],
        [["call", "files", "echo", "--cwd", "/nowhere/at/all"], /--cwd takes a directory/],
        [["call", "files", "echo", "--output", join(stage.home, "config.toml")], /--output takes a folder/],
      ];
      for (const [words, pattern] of rows) {
        const { code, stdout, stderr } = await stage.run(words);
        assertEquals([code, stdout], [2, ""], stderr);
        assertMatch(stderr, pattern);
      }
      assertEquals(await stage.recorded("files"), []);
    }),
);

test(
  "text, structured content, a tool's failure, and one document for scripts",
  limit,
  () =>
    onStage(async (stage) => {
      // a pipe gets what came, byte for byte
      assertEquals(await stage.run(["call", "files", "lines"]), {
        code: 0,
        stdout: "one\ntwo\u001b[2J\n",
        stderr: "",
      });
      const structured = await stage.run(["call", "files", "structured"]);
      assertEquals([structured.code, JSON.parse(structured.stdout)], [0, { answer: 42 }]);
      assertEquals(await stage.run(["call", "files", "fail"]), {
        code: 1,
        stdout: "",
        stderr: "it broke\ufffd[2J\n",
      });
      const { code, stdout, stderr } = await stage.run(["call", "files", "fail", "--json"]);
      assertEquals([code, stderr, stdout.includes("\u001b")], [1, "", false]);
      const { isError, content } = JSON.parse(stdout);
      assertEquals([isError, content], [true, [{ type: "text", text: "it broke\u001b[2J" }]]);
    }),
);

test(
  "what is no text is written to new files in the folder, and nowhere else",
  limit,
  () =>
    onStage(async (stage) => {
      const left = await stage.run(["call", "files", "media"]);
      assertEquals([left.code, left.stdout], [0, ""]);
      assertEquals(left.stderr.match(/left out: .+ Write it with --output DIR\./g)?.length, 4);
      assert(!left.stderr.includes("\u001b"));
      const out = stage.path("out");
      await mkdir(out);
      await writeFile(join(out, "image.png"), "mine");
      await symlink(join(stage.home, "stolen"), join(out, "passwd"));
      const { code, stdout } = await stage.run(["call", "files", "media", "--output", out, "--json"]);
      const { files } = JSON.parse(stdout);
      assertEquals([code, files], [
        0,
        ["image-2.png", "audio.wav", "passwd-2", "evil.txt"].map((name) => join(out, name)),
      ]);
      assertEquals(await readFile(join(out, "image.png"), "utf8"), "mine");
      assertEquals(await readFile(join(out, "passwd-2"), "utf8"), "root");
      assertEquals((await readFile(join(out, "image-2.png"))).toString("base64"), "iVBORw0KGgo=");
      assertEquals((await readdir(stage.home)).includes("stolen"), false);
    }),
);

test("errors have their code and exit code", limit, async () => {
  await using stage = await Stage.create();
  await stage.configure(
    stage.server("files", { more: 'disabled_tools = ["hang"]' }),
    '[mcp_servers.broken]\ncommand = 7\n[mcp_servers.gone]\ncommand = "/nowhere/at/all"\n',
    '[mcp_servers.noisy]\ncommand = "sh"\nargs = ["-c", "echo s3cr3t >&2; exit 3"]\n',
    '[mcp_servers.off]\ncommand = "sh"\nenabled = false\n',
  );
  const rows: readonly (readonly [readonly string[], number, RegExp])[] = [
    [["other", "t"], 2, /SERVER_UNKNOWN: .*There is: files, gone, noisy, off, broken\./],
    [["broken", "t"], 3, /SERVER_DISABLED: .*config\.toml:\d+: Cannot use mcp_servers\.broken\.command/],
    [["off", "t"], 3, /SERVER_DISABLED: .*switches it off/],
    [["gone", "t"], 5, /SERVER_UNAVAILABLE: .*its program does not exist/],
    [["noisy", "t"], 5, /SERVER_UNAVAILABLE: .*standard error: codex-mcp servers --stderr/],
    [["files", "hang"], 3, /TOOL_DISABLED/],
    [["files", "nope"], 2, /TOOL_UNKNOWN/],
    [["files", "progress", "--timeout", "0.001"], 5, /CALL_TIMEOUT/],
    [["files", "echo", "--policy", "/nowhere/at/all"], 2, /--policy takes/],
    [["files", "echo", "--codex", "/nowhere/at/all"], 3, /LAUNCHER_INVALID: .*does not exist/],
    [["files", "echo", "--config", "/nowhere/x.toml"], 5, /CONFIGURATION_UNAVAILABLE: .*x\.toml/],
  ];
  for (const [words, code, pattern] of rows) {
    const outcome = await stage.run(["call", ...words]);
    assertEquals([outcome.code, outcome.stdout], [code, ""], `${words}: ${outcome.stderr}`);
    assertMatch(outcome.stderr, pattern);
    assert(!outcome.stderr.includes("s3cr3t"));
  }
  const { stdout } = await stage.run(["call", "off", "t", "--json"]);
  assertEquals(JSON.parse(stdout).error.code, "SERVER_DISABLED");
});

test("the policy goes to a server that asks for it, with a launcher when there is one", limit, async () => {
  await using stage = await Stage.create();
  const launcher = await createLauncher({ folder: stage.path("bin") });
  const text = '{"permissionProfile": {"type":"disabled"}, "n": 9007199254740993}';
  const file = stage.path("policy.json");
  await writeFile(file, text);
  await stage.configure(stage.server("plain"), stage.server("boxed", { env: { OPT_IN: "1" } }));
  const plain = await stage.run(["call", "plain", "meta"]);
  assertEquals([plain.code, plain.stderr, plain.stdout.includes("sandbox")], [0, "", false]);
  const ignored = await stage.run(["call", "plain", "meta", "--policy", "workspace-write", "--json"]);
  assertEquals([ignored.code, Object.keys(JSON.parse(ignored.stdout)).includes("content")], [0, true]);
  assertMatch(
    ignored.stderr,
    /^codex-mcp: The server does not ask for the sandbox policy: it was not sent, and the server decides alone .+\n$/,
  );
  const alone = await stage.run(["call", "boxed", "meta"]);
  const state = JSON.parse(alone.stdout)["codex/sandbox-state"];
  assertEquals([alone.code, state.sandboxCwd], [0, `file://${stage.workspace}`]);
  assertMatch(alone.stderr, /^codex-mcp: No launcher was sent: /);
  const boxed = await stage.run(["call", "boxed", "meta", "--codex", launcher.executable, "--policy", file]);
  assertEquals([boxed.code, boxed.stderr], [0, ""]);
  assert(boxed.stdout.includes(launcher.executable));
  assertEquals(JSON.parse(boxed.stdout)["codex/sandbox-state"].permissionProfile, { type: "disabled" });
  const other = await stage.run(["call", "boxed", "meta", "--environment", "build-farm"]);
  assertEquals([other.code, other.stderr, other.stdout.includes("sandbox")], [0, "", false]);
  const farm = await stage.run([
    ...["call", "boxed", "meta", "--environment", "build-farm"],
    ...["--policy", "read-only"],
  ]);
  assertMatch(farm.stderr, /^codex-mcp: The sandbox policy is for another execution environment .+\n$/);
  await mkdir(stage.path("elsewhere/.git"), { recursive: true }); // a project of its own
  const elsewhere = await stage.run(["call", "plain", "where", "--cwd", stage.path("elsewhere")]);
  assertEquals(elsewhere.stdout, `${stage.path("elsewhere")}\n`);
});

test("an interruption cancels the call at the server", limit, () =>
  onStage(async (stage) => {
    for (const [signal, code] of [["SIGINT", 130], ["SIGTERM", 143]] as const) {
      const child = stage.start(["call", "files", "hang"]);
      const before = (await stage.recorded("files")).filter((line) => line === "hanging").length;
      while ((await stage.recorded("files")).filter((line) => line === "hanging").length === before) {
        await new Promise((resolve) => setTimeout(resolve, 20));
      }
      child.kill(signal);
      await child.stdin.close();
      const output = await child.output();
      assertEquals([output.code, output.stdout.length], [code, 0]);
      assertMatch(new TextDecoder().decode(output.stderr), /INTERRUPTED/);
      const cancelled = (await stage.recorded("files")).filter((line) => line === "cancelled");
      assert(cancelled.length > 0, signal);
    }
  }));
