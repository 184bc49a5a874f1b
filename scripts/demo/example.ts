/**
 * Starts an example by its name, with what it needs around it: a Codex CLI, a workspace of its own, a configuration,
 * for the agent the enterprise test bed. What people copy is in `examples/` alone.
 *
 * @module
 */

import { homedir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { stringify } from "smol-toml";
import { createRuntime } from "../../adapters/cli/main.ts";
import { findCodex } from "../find_codex.ts";

/** What an example is started with. */
interface Stage {
  /** Real path of a Codex CLI. */
  readonly codex: string;
  /** A folder that is removed at the end. */
  readonly folder: string;
  /** The workspace in it: the working directory. */
  readonly workspace: string;
}

/** Who plays: files of `examples/hosts` and `examples/servers`. */
interface Cast {
  readonly host: string;
  readonly server: string;
}

const ROOT = fileURLToPath(new URL("../..", import.meta.url));

const EXAMPLES: Readonly<Record<string, () => Promise<number>>> = {
  "server-sdk-v1": () => onStage((stage) => playServer(stage, { host: "two_policies", server: "sdk_v1" })),
  "server-sdk-v2": () => onStage((stage) => playServer(stage, { host: "two_policies", server: "sdk_v2" })),
  "server-no-sdk": () => onStage((stage) => playServer(stage, { host: "two_policies", server: "no_sdk" })),
  "repl": () => onStage((stage) => playServer(stage, { host: "repl", server: "repl" })),
  "agent": () => onStage(playAgent),
  "worker": async () => await (await import("./example_worker.ts")).playWorker(),
};

if (import.meta.main) Deno.exit(await main(Deno.args));

async function main([name = "", ...others]: readonly string[]): Promise<number> {
  const play = Object.hasOwn(EXAMPLES, name) && others.length === 0 ? EXAMPLES[name] : undefined;
  if (play !== undefined) return await play();
  console.error(`Usage: deno task example NAME\n\nNAME is one of ${Object.keys(EXAMPLES).join(", ")}.`);
  return 2;
}

/** Makes a stage, plays on it, takes it down. */
async function onStage(play: (stage: Stage) => Promise<number>): Promise<number> {
  const { executable: codex, reasons } = await findCodex(createRuntime([]));
  if (codex === undefined) {
    console.error(reasons.join("\n"));
    return 125;
  }
  // a Codex CLI keeps nothing of its own below the system's temporary folder, and says so
  const dir = join(Deno.env.get("XDG_CACHE_HOME") || join(homedir(), ".cache"), "codex-mcp");
  await Deno.mkdir(dir, { recursive: true });
  const folder = await Deno.realPath(await Deno.makeTempDir({ dir, prefix: "example-" }));
  try {
    const workspace = `${folder}/workspace`;
    await Deno.mkdir(workspace);
    return await play({ codex, folder, workspace });
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
}

/** A server of `examples/servers`, started and called by a host of `examples/hosts`. */
async function playServer(stage: Stage, { host, server }: Cast): Promise<number> {
  const file = `${stage.folder}/.mcp.json`;
  const mcpServers = { server: await serverEntry(`examples/servers/${server}.ts`) };
  await Deno.writeTextFile(file, JSON.stringify({ mcpServers }), { mode: 0o600 });
  return await startHost(stage, { host, args: [file, stage.codex] });
}

/** The agent, with the enterprise test bed and the bundled server in a `config.toml` of its own. */
async function playAgent(stage: Stage): Promise<number> {
  // its libraries speak up when they are loaded
  const { startEnterpriseBed } = await import("../../tests/fixtures/enterprise/mod.ts");
  const { foreignTokens } = await import("../../tests/fixtures/enterprise_cli/tokens.ts");
  await using bed = await startEnterpriseBed({ profile: "conformance" });
  const servers = { mcp_servers: { exec: await serverEntry("adapters/cli/main.ts", "serve") } };
  const configuration = `${bed.configuration()}\n${stringify(servers)}`;
  await Deno.writeTextFile(`${stage.folder}/config.toml`, configuration, { mode: 0o600 });
  const { idToken } = await foreignTokens(bed);
  return await startHost(stage, {
    host: "agent",
    input: `${stage.codex}\n${idToken}`,
    environment: { CODEX_HOME: stage.folder },
  });
}

/** A program of the repository as a server in a configuration. Its imports are there: a host waits for no download. */
async function serverEntry(file: string, ...args: readonly string[]): Promise<object> {
  const fetching = ["cache", "--quiet", "--config", `${ROOT}deno.json`, `${ROOT}${file}`];
  await new Deno.Command(Deno.execPath(), { args: fetching, stdout: "inherit", stderr: "inherit" }).output();
  const places = ["DENO_DIR", "XDG_CACHE_HOME"].map((name) => [name, Deno.env.get(name)] as const);
  const env = Object.fromEntries(places.filter(([, value]) => value !== undefined));
  return { command: Deno.execPath(), args: [...program(file), ...args], env };
}

interface Start {
  readonly host: string;
  readonly args?: readonly string[];
  readonly input?: string;
  readonly environment?: Readonly<Record<string, string>>;
}

/** Runs a host of `examples/hosts` to its end. */
async function startHost({ workspace }: Stage, start: Start): Promise<number> {
  const { host, args = [], input = "", environment = {} } = start;
  const child = new Deno.Command(Deno.execPath(), {
    args: [...program(`examples/hosts/${host}.ts`), ...args],
    cwd: workspace,
    env: { ...environment },
    stdin: "piped",
  }).spawn();
  await new Blob([input]).stream().pipeTo(child.stdin);
  return (await child.status).code;
}

function program(file: string): string[] {
  return ["run", "--quiet", "-A", "--config", `${ROOT}deno.json`, `${ROOT}${file}`];
}
