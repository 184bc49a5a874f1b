/**
 * The npm package, installed: what is in it, that each export key can be imported on every Node and on Bun and holds
 * the names that its source exports, and that its program works there. `judges.ts` adds what others say of it,
 * `sign_in.ts` a sign-in: one installation serves all these tests.
 *
 * @module
 */

import { assert, assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
import { dirname } from "node:path";
import { after, before, test } from "node:test";
import { run } from "../../../scripts/command.ts";
import { loadSurface } from "../../../scripts/gates/surface.ts";
import { readToolchain } from "../../../scripts/gates/toolchain.ts";
import { listFiles, readConfig, readText } from "../../../scripts/gates/tree.ts";
import { findNode } from "../../../scripts/suites/node_binaries.ts";
import { findBun } from "../../../scripts/suites/test_bun.ts";
import { realCodex } from "../../fixtures/codex_host/codex.ts";
import { createPlace } from "../../fixtures/codex_host/place.ts";
import { readUntil } from "../command_line.ts";
import { evaluate, install, type Installation, KEYS, ROOT, runProgram, specifierOf } from "./installation.ts";
import { testJudges } from "./judges.ts";
import { testSignIn } from "./sign_in.ts";

const { node: NODES, bun: BUN } = readToolchain(ROOT);
const LIMIT = { timeout: 120_000 };

let installation: Installation;

before(async () => {
  installation = await install();
});

after(async () => {
  await installation?.remove();
});

/** Path of a runtime. */
async function find(name: string): Promise<string> {
  if (name === "Bun") return await findBun(BUN);
  return (await findNode(name.replace("Node ", ""))).program;
}

const RUNTIMES = [...NODES.map((major) => `Node ${major}`), "Bun"];

test("the package holds programs, declarations and documents, and nothing of Deno's or JSR's", () => {
  const base = `${installation.folder}/node_modules/@codex-mcp/runtime`;
  const files = listFiles(base, ["."]);
  for (const name of ["README.md", "LICENSE", "CHANGELOG.md", "package.json"]) {
    assert(files.includes(name), name);
  }
  assertEquals(readText(base, "LICENSE"), readText(ROOT, "LICENSE"));
  const odd = files.filter((path) => !/\.(?:js|d\.ts|md|json)$|^LICENSE$/.test(path));
  assertEquals(odd, []);
  assertEquals(files.filter((path) => /^(?:scripts|tests|adapters\/deno)\//.test(path)), []);
  for (const path of files.filter((one) => /\.(?:js|d\.ts)$/.test(one))) {
    const foreign = /(?:from|import\() *"(?:jsr:|npm:|@std\/|@jsr\/|https?:)[^"]*"/.exec(
      readText(base, path),
    );
    assertEquals(foreign?.[0], undefined, path);
  }
});

test("package.json says what deno.json says", () => {
  const described = JSON.parse(
    readText(`${installation.folder}/node_modules/@codex-mcp/runtime`, "package.json"),
  );
  const config = readConfig(ROOT) as unknown as Readonly<
    Record<string, unknown>
  >;
  for (const field of ["name", "version", "license"]) {
    assertEquals(described[field], config[field]);
  }
  assertEquals(Object.keys(described.exports), [...Object.keys(KEYS), "./package.json"]);
  assertEquals(Object.keys(KEYS).some((key) => key.startsWith("./deno")), false);
  assertEquals(Object.keys(described.dependencies), ["oauth4webapi", "re2js", "smol-toml"]);
  assertEquals(Object.keys(described.optionalDependencies), [
    "@modelcontextprotocol/client",
    "@modelcontextprotocol/server",
    "@napi-rs/keyring",
    "@rushstack/node-core-library",
  ]);
});

test(
  "every key is importable with the names of its source, and a class is the same everywhere",
  LIMIT,
  async () => {
    const surface = await loadSurface(ROOT);
    const keys = Object.keys(KEYS);
    const code = `const keys = ${
      JSON.stringify(Object.fromEntries(keys.map((key) => [key, specifierOf(key)])))
    };
const modules = {};
for (const [key, specifier] of Object.entries(keys)) modules[key] = await import(specifier);
const names = Object.fromEntries(Object.entries(modules).map(([key, module]) => [key, Object.keys(module).sort()]));
const classes = new Map();
const doubles = [];
for (const [key, module] of Object.entries(modules)) {
  for (const [name, value] of Object.entries(module)) {
    if (!(value?.prototype instanceof Error)) continue;
    if (classes.has(name) && classes.get(name) !== value) doubles.push(key + " " + name);
    classes.set(name, value);
  }
}
console.log(JSON.stringify({ names, doubles, classes: [...classes.keys()] }));`;
    for (const runtime of RUNTIMES) {
      const { names, doubles, classes } = JSON.parse(await evaluate(await find(runtime), code, installation));
      for (const key of keys) {
        assertEquals(names[key], surface[key]?.names, `${runtime}: ${key}`);
      }
      assertEquals([doubles, classes.includes("SandboxError")], [[], true], runtime);
    }
  },
);

for (const runtime of RUNTIMES) {
  test(`the program answers on ${runtime}, with its exit codes`, LIMIT, async () => {
    await using place = await createPlace();
    const program = await find(runtime);
    const options = { installation, home: place.home };
    const version = await runProgram(program, ["--version"], options);
    const { version: expected } = readConfig(ROOT) as unknown as {
      readonly version: string;
    };
    assertEquals([version.code, version.output], [0, `codex-mcp ${expected}\n`]);
    const help = await runProgram(program, ["--help"], options);
    assertEquals(help.code, 0);
    assertStringIncludes(help.stdout, "codex-mcp COMMAND --help");
    const status = await runProgram(program, ["status", "--json"], options);
    assertEquals([status.code, JSON.parse(status.stdout).servers], [0, []], status.output);
    const wrong = await runProgram(program, ["nope"], options);
    assertEquals([wrong.code, wrong.stdout], [2, ""]);
    const full = ["-c", 'exec "$@" >/dev/full', "sh", program, installation.program, "--version"];
    const lost = await run("/bin/sh", full, { directory: place.home });
    assertEquals([lost.code, lost.output], [1, "codex-mcp: Cannot write standard output: ENOSPC\n"]);
    for (const [words, code] of COMMANDS) {
      const { code: found, output } = await runProgram(program, words, options);
      assertEquals(found, code, `${words.join(" ")}: ${output}`);
    }
  });

  test(`serve answers a handshake on ${runtime} and ends with its input`, LIMIT, async () => {
    await using place = await createPlace();
    const child = new Deno.Command(await find(runtime), {
      args: [installation.program, "serve"],
      cwd: place.home,
      stdin: "piped",
      stdout: "piped",
      stderr: "piped",
    }).spawn();
    const messages = [
      {
        id: 1,
        method: "initialize",
        params: {
          protocolVersion: "2025-06-18",
          capabilities: {},
          clientInfo: CLIENT,
        },
      },
      { method: "notifications/initialized" },
      { id: 2, method: "tools/list" },
    ];
    const writer = child.stdin.getWriter();
    const lines = messages.map((message) => `${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`);
    await writer.write(new TextEncoder().encode(lines.join("")));
    const answers = await readLines(child.stdout, 2);
    await writer.close();
    const { code, stderr } = await child.output();
    assertEquals([code, new TextDecoder().decode(stderr)], [0, ""]);
    assert("codex/sandbox-state" in (answers[0]?.result.capabilities.experimental ?? {}));
    assert(answers[1]?.result.tools.some(({ name }) => name === "exec"));
  });
}

const CLIENT = { name: "test", version: "1" };

/** Commands that need nothing, and how each ends. */
const COMMANDS: readonly (readonly [readonly string[], number])[] = [
  [["servers"], 0],
  [["tools", "nowhere"], 2],
  [["call", "nowhere", "tool"], 2],
  [["login"], 3],
  [["logout"], 0],
  [["token", "nowhere"], 2],
  [["doctor", "--help"], 0],
  [["relay", "--", "/bin/cat"], 0],
];

/** What is looked at of an answer of either kind. */
interface Answer {
  readonly result: {
    readonly capabilities: { readonly experimental: object };
    readonly tools: readonly { readonly name: string }[];
  };
}

/** The first `count` lines as JSON; the rest is left unread. */
async function readLines(stream: ReadableStream<Uint8Array>, count: number): Promise<readonly Answer[]> {
  const reader = stream.getReader();
  const decoder = new TextDecoder();
  let text = "";
  while (text.split("\n").length <= count) {
    const { value, done } = await reader.read();
    if (done) break;
    text += decoder.decode(value, { stream: true });
  }
  reader.releaseLock();
  return text.trim().split("\n").slice(0, count).map((line) => JSON.parse(line));
}

for (const major of NODES) {
  test(`exec sandboxes on Node ${major}, and a program of Node's is heard in there`, LIMIT, async () => {
    await using place = await createPlace();
    const { program } = await findNode(major);
    const words = ["exec", "--codex", await realCodex(), "--cwd", place.workspace, "--"];
    const exec = (...command: readonly string[]) =>
      runProgram(program, [...words, ...command], {
        installation,
        home: place.home,
      });
    const failing = await exec("/bin/sh", "-c", 'echo out; touch "$1" || exit 7', "sh", `${place.outside}/x`);
    assertEquals([failing.code, failing.stdout], [7, "out\n"], failing.output);
    const node = await placeOf(program);
    const heard = await exec(node, "-e", 'console.log("x".repeat(200000)); console.error("told")');
    assertEquals([heard.code, heard.stdout.length], [0, 200_001], heard.output.slice(-2000));
    assertStringIncludes(heard.output, "told");

    // whoever reads slowly gets all of it, and whoever interrupts gets an end
    const slow = ["-c", '"$@" | (sleep 1; wc -c)', "sh", node, installation.program, ...words];
    const environment = { CODEX_HOME: place.home };
    const read = await run("/bin/sh", [...slow, "/bin/sh", "-c", "head -c 300000 /dev/zero"], {
      directory: place.folder,
      environment,
    });
    assertEquals(read.stdout.trim(), "300000", read.output);
    const child = new Deno.Command(node, {
      args: [installation.program, ...words, "/bin/sh", "-c", "echo started; sleep 60"],
      env: environment,
      stdin: "null",
      stdout: "piped",
      stderr: "piped",
    }).spawn();
    await readUntil(child.stdout, "started");
    child.kill("SIGINT");
    const [{ code }, told] = await Promise.all([child.status, new Response(child.stderr).text()]);
    assertEquals(code, 125); // as exec says of itself: it was not the command that ended
    assertStringIncludes(told, "INTERRUPTED");
  });
}

/** Path of a program that may be named alone. */
async function placeOf(program: string): Promise<string> {
  return (await run("/bin/sh", ["-c", 'command -v "$1"', "sh", program], {
    directory: "/",
  })).stdout.trim();
}

test(
  "npx finds the program by the name of the package, and is told how to go on where it is installed",
  LIMIT,
  async () => {
    await using place = await createPlace();
    const { folder } = installation;
    const { program } = await findNode("20");
    const npx = await placeOf("npx");
    const path = `${program.includes("/") ? `${dirname(program)}:` : ""}${Deno.env.get("PATH")}`;
    const environment = {
      HOME: place.home,
      CODEX_HOME: `${place.home}/.codex`,
      PATH: path,
    };
    const answer = await run(npx, ["--no", "@codex-mcp/runtime", "nope"], {
      directory: folder,
      environment,
    });
    assertEquals(answer.code, 2, answer.output);
    assertMatch(answer.output, /^Try: npx codex-mcp --help$/m);
  },
);

testJudges(() => installation);
testSignIn(`Node ${NODES[0]}`, () => find(`Node ${NODES[0]}`), () => installation);
