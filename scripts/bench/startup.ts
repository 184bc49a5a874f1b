/**
 * How long the command line takes to start, against its runtime with a program that does nothing.
 *
 * The commands see a home of their own, with a server over a process and a server over HTTP in their configuration, and
 * packages of Deno without a Codex CLI among them, which `status` would start.
 *
 * @module
 */

import type { Row } from "./row.ts";
import { median, timeInTurn } from "./timing.ts";

const ROOT = new URL("../../", import.meta.url);
const path = (name: string): string => new URL(name, ROOT).pathname;

/** `codex-mcp status` may take so many times as long as the runtime alone. */
const MOST_STATUS = 3;

const CONFIGURATION = `
[mcp_servers.files]
command = "/usr/bin/true"

[mcp_servers.notes]
url = "http://127.0.0.1:9/mcp"
`;

/** Rows for Deno, and for Node where the package was built. */
export async function measureStartup({ quick }: { readonly quick: boolean }): Promise<readonly Row[]> {
  const folder = await Deno.realPath(await Deno.makeTempDir());
  try {
    const environment = await prepare(folder);
    const rounds = quick ? 1 : 25;
    return [
      ...await onDeno(folder, { environment, rounds }),
      ...await onNode(folder, { environment, rounds }),
    ];
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
}

interface Starting {
  readonly environment: Readonly<Record<string, string>>;
  readonly rounds: number;
}

async function onDeno(folder: string, { environment, rounds }: Starting): Promise<readonly Row[]> {
  const deno = Deno.execPath();
  const cli = ["run", "-A", "--config", path("deno.json"), path("adapters/cli/main.ts")];
  const start = (args: readonly string[]) => () => run(deno, { args, environment, directory: folder });
  const times = await timeInTurn({
    bare: start(["run", "-A", `${folder}/empty.ts`]),
    version: start([...cli, "--version"]),
    status: start([...cli, "status"]),
  }, { rounds });
  return rowsOf({ peer: "deno run, empty file", ...times });
}

async function onNode(folder: string, { environment, rounds }: Starting): Promise<readonly Row[]> {
  const bin = Deno.env.get("CODEX_MCP_NODE_BIN");
  if (bin === undefined) {
    console.error("Node was not measured: CODEX_MCP_NODE_BIN names no codex-mcp of a built npm package.");
    return [];
  }
  const start = (...args: readonly string[]) => () => run("node", { args, environment, directory: folder });
  const times = await timeInTurn({
    bare: start(`${folder}/empty.mjs`),
    version: start(bin, "--version"),
    status: start(bin, "status"),
  }, { rounds });
  return rowsOf({ peer: "node, empty file", ...times });
}

interface Times {
  readonly peer: string;
  readonly bare: readonly number[];
  readonly version: readonly number[];
  readonly status: readonly number[];
}

function rowsOf({ peer, ...times }: Times): readonly Row[] {
  const peerValue = median(times.bare);
  const row = (name: string, value: number): Row => ({ name, value, unit: "ms", peer, peerValue });
  const [runtime = ""] = peer.split(/[ ,]/);
  const status = median(times.status);
  return [
    row(`codex-mcp --version on ${runtime}`, median(times.version)),
    {
      ...row(`codex-mcp status on ${runtime}`, status),
      target: `at most ${MOST_STATUS}x`,
      met: status <= MOST_STATUS * peerValue,
    },
  ];
}

/** Writes what the programs see, and says it as variables. */
async function prepare(folder: string): Promise<Readonly<Record<string, string>>> {
  await Deno.writeTextFile(`${folder}/empty.ts`, "");
  await Deno.writeTextFile(`${folder}/empty.mjs`, "");
  await Deno.mkdir(`${folder}/.codex`, { mode: 0o700 });
  await Deno.writeTextFile(`${folder}/.codex/config.toml`, CONFIGURATION, { mode: 0o600 });
  await linkPackages(`${folder}/deno`);
  return {
    HOME: folder,
    CODEX_HOME: `${folder}/.codex`,
    DENO_DIR: `${folder}/deno`,
    DENO_NO_UPDATE_CHECK: "1",
    NO_COLOR: "1",
    PATH: Deno.env.get("PATH") ?? "",
  };
}

/** A folder of Deno's with the packages that are there, but for those of one scope, and with caches of its own. */
async function linkPackages(folder: string): Promise<void> {
  const { stdout } = await new Deno.Command(Deno.execPath(), { args: ["info", "--json"] }).output();
  const { npmCache } = JSON.parse(new TextDecoder().decode(stdout)) as { readonly npmCache: string };
  await linkTree(npmCache, `${folder}/npm`);
}

/** The same files under another name: Deno does not take a symbolic link for a package. */
async function linkTree(from: string, to: string): Promise<void> {
  await Deno.mkdir(to, { recursive: true });
  for await (const { name, isDirectory, isFile } of Deno.readDir(from)) {
    const [source, target] = [`${from}/${name}`, `${to}/${name}`];
    if (isDirectory && name !== "@openai") await linkTree(source, target);
    else if (isFile) await Deno.link(source, target).catch(() => Deno.copyFile(source, target));
  }
}

async function run(
  program: string,
  { args, environment, directory }: {
    readonly args: readonly string[];
    readonly environment: Readonly<Record<string, string>>;
    readonly directory: string;
  },
): Promise<void> {
  const { success, stderr } = await new Deno.Command(program, {
    args: [...args],
    env: { ...environment },
    clearEnv: true,
    cwd: directory,
    stdin: "null",
    stdout: "null",
    stderr: "piped",
  }).output();
  if (!success) {
    throw new Error(`Cannot run ${program} ${args.join(" ")}: ${new TextDecoder().decode(stderr)}`);
  }
}
