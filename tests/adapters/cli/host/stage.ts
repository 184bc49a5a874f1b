/**
 * A person's machine for `servers`, `tools` and `call`: a home with Codex's configuration, a workspace, a cache, and
 * the command line as a process of its own, with no Codex CLI installed.
 *
 * @module
 */

import { mkdir, mkdtemp, readFile, realpath, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { removeFolder } from "../../../fixtures/remove_folder.ts";

const ROOT = fileURLToPath(new URL("../../../..", import.meta.url));
const START = ["run", "--quiet", "-A", "--no-lock", "--no-check", "--config", join(ROOT, "deno.json")];

/** How a command ended. */
export interface StageOutcome {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** How a command is started. */
export interface StageStart {
  /** Written to its standard input. */
  readonly input?: string;
  /** Variables besides those of the stage. */
  readonly environment?: Readonly<Record<string, string>>;
}

/** A machine. */
export class Stage implements AsyncDisposable {
  readonly #base: string;

  private constructor(base: string) {
    this.#base = base;
  }

  /** Makes one. */
  static async create(): Promise<Stage> {
    const stage = new Stage(await realpath(await mkdtemp(join(tmpdir(), "codex-mcp-host-"))));
    for (const folder of [stage.home, stage.workspace]) await mkdir(folder, { mode: 0o700 });
    await mkdir(join(stage.workspace, ".git"));
    return stage;
  }

  /** The home, which is also `CODEX_HOME`. */
  get home(): string {
    return join(this.#base, "home");
  }

  /** The working directory. */
  get workspace(): string {
    return join(this.#base, "workspace");
  }

  /** A path beside them. */
  path(name: string): string {
    return join(this.#base, name);
  }

  /** Writes the user's configuration. */
  async configure(...tables: readonly string[]): Promise<void> {
    await writeFile(join(this.home, "config.toml"), tables.join("\n"), { mode: 0o600 });
  }

  /** A table of the configuration: `tool_server.ts` under this name. */
  server(
    name: string,
    { more = "", env = {} }: { more?: string; env?: Readonly<Record<string, string>> } = {},
  ): string {
    const { command, args } = this.toolServer;
    const variables = { ...env, DENO_DIR: denoDir(), RECORD: this.path(`${name}.record`) };
    const table = Object.entries(variables).map(([key, value]) => `${key} = ${JSON.stringify(value)}`).join(
      ", ",
    );
    return `[mcp_servers.${name}]\ncommand = ${JSON.stringify(command)}\nargs = ${JSON.stringify(args)}\n` +
      `env = { ${table} }\n${more}\n`;
  }

  /** How `tool_server.ts` is started. */
  get toolServer(): { readonly command: string; readonly args: readonly string[] } {
    return {
      command: Deno.execPath(),
      args: [...START, join(ROOT, "tests/adapters/cli/host/tool_server.ts")],
    };
  }

  /** The methods that a server received, in order; none when it was never started. */
  async recorded(name: string): Promise<readonly string[]> {
    const text = await readFile(this.path(`${name}.record`), "utf8").catch(() => "");
    return text.split("\n").filter((line) => line !== "");
  }

  /** The command that starts the command line. */
  words(words: readonly string[]): readonly string[] {
    return [Deno.execPath(), ...START, join(ROOT, "tests/adapters/cli/host/main.ts"), ...words];
  }

  /** Its variables. */
  get environment(): Record<string, string> {
    return {
      NO_COLOR: "1",
      HOME: this.home,
      CODEX_HOME: this.home,
      XDG_CACHE_HOME: this.path("cache"),
      PATH: "/usr/bin:/bin",
      DENO_DIR: denoDir(),
    };
  }

  /** Starts a command. */
  start(words: readonly string[], { environment = {} }: StageStart = {}): Deno.ChildProcess {
    const [executable = "", ...args] = this.words(words);
    return new Deno.Command(executable, {
      args: [...args],
      cwd: this.workspace,
      clearEnv: true,
      env: { ...this.environment, ...environment },
      stdin: "piped",
      stdout: "piped",
      stderr: "piped",
    }).spawn();
  }

  /** Runs a command to its end. */
  async run(words: readonly string[], options: StageStart = {}): Promise<StageOutcome> {
    const child = this.start(words, options);
    const writer = child.stdin.getWriter();
    // it may have ended before it has read
    await writer.write(new TextEncoder().encode(options.input ?? "")).then(() => writer.close()).catch(() =>
      undefined
    );
    const { code, stdout, stderr } = await child.output();
    return { code, stdout: new TextDecoder().decode(stdout), stderr: new TextDecoder().decode(stderr) };
  }

  /** Removes everything. */
  async [Symbol.asyncDispose](): Promise<void> {
    await removeFolder(this.#base);
  }
}

/** Where this process has its packages: the home of the stage has none. */
function denoDir(): string {
  return Deno.env.get("DENO_DIR") ?? join(Deno.env.get("HOME") ?? "", ".cache", "deno");
}
