/**
 * Programs that use the keyring, one on each runtime, within a session: `driver.ts` on Deno as it is, on Node
 * bundled, beside the packages as npm installs them.
 *
 * @module
 */

import type { Keyring, KeyringName } from "../../../adapters/keyring/keyring.ts";
import { EnterpriseError, type EnterpriseErrorCode } from "../../../core/enterprise/error.ts";
import type { KeyringEntry } from "../../../core/ports/keyring.ts";
import { run, runDeno } from "../../../scripts/command.ts";
import { readToolchain } from "../../../scripts/gates/toolchain.ts";
import { readConfig } from "../../../scripts/gates/tree.ts";
import { findNode } from "../../../scripts/suites/node_binaries.ts";
import type { DriverAnswer, DriverRequest } from "./driver.ts";
import type { KeyringSession } from "./session.ts";

const ROOT = new URL("../../..", import.meta.url).pathname.replace(/\/$/, "");
const PACKAGES: readonly string[] = ["@napi-rs/keyring", "@rushstack/node-core-library"];

/** One runtime: the words that start the driver on it. */
export interface ProgramRuntime {
  /** Its name and version. */
  readonly name: string;
  /** Program and arguments. */
  readonly command: readonly string[];
}

/** Deno, and every Node that the package is for. What Node needs lies in `folder`, which the caller takes away. */
export async function programRuntimes(folder: string): Promise<readonly ProgramRuntime[]> {
  const driver = `${ROOT}/tests/real/keyring/driver.ts`;
  const deno = {
    name: "Deno",
    command: [Deno.execPath(), "run", "-A", "--config", `${ROOT}/deno.json`, driver],
  };
  await Deno.writeTextFile(`${folder}/package.json`, JSON.stringify({ type: "module", private: true }));
  const { imports } = readConfig(ROOT);
  const specifiers = PACKAGES.map((name) => (imports[name] ?? "").replace(/^npm:/, ""));
  const npm = await run("npm", [
    "install",
    "--no-save",
    "--ignore-scripts",
    "--prefix",
    folder,
    ...specifiers,
  ], { directory: folder });
  if (npm.code !== 0) throw new Error(npm.output);
  const bundle = await runDeno(["bundle", "--quiet", "--platform=deno", "--outdir", folder, driver], {
    directory: ROOT,
  });
  if (bundle.code !== 0) throw new Error(bundle.output);
  const nodes = await Promise.all(readToolchain(ROOT).node.map((major) => findNode(major)));
  return [
    deno,
    ...nodes.map(({ program, version }) => ({
      name: `Node ${version}`,
      command: [program, `${folder}/driver.js`],
    })),
  ];
}

/** Seconds that the keyring and the lock of a program wait. */
export interface ProgramSettings {
  /** For the service to say that it is there. */
  readonly probeSeconds?: number;
  /** For one answer of the keyring. */
  readonly answerSeconds?: number;
  /** For the lock. */
  readonly lockSeconds?: number;
}

/** A running program. */
export class KeyringProgram {
  readonly #child: Deno.ChildProcess;
  readonly #lines: AsyncIterator<string>;

  /** Starts it on `runtime` within `session`. */
  constructor(runtime: ProgramRuntime, session: KeyringSession, settings: ProgramSettings = {}) {
    const [program = "", ...args] = runtime.command;
    this.#child = new Deno.Command(program, {
      args,
      clearEnv: true,
      env: {
        ...session.environment,
        DENO_DIR: Deno.env.get("DENO_DIR") ??
          `${Deno.env.get("XDG_CACHE_HOME") ?? `${Deno.env.get("HOME")}/.cache`}/deno`,
        DENO_NO_UPDATE_CHECK: "1",
        KEYRING_SETTINGS: JSON.stringify(settings),
      },
      cwd: session.folder,
      stdin: "piped",
      stdout: "piped",
      stderr: "inherit",
    }).spawn();
    this.#lines = linesOf(this.#child.stdout);
  }

  /** Its process id. */
  get pid(): number {
    return this.#child.pid;
  }

  /** Asks, and waits for the answer. */
  async ask(request: DriverRequest): Promise<DriverAnswer> {
    const writer = this.#child.stdin.getWriter();
    await writer.write(new TextEncoder().encode(`${JSON.stringify(request)}\n`));
    writer.releaseLock();
    const line = await this.#lines.next();
    if (line.done) throw new Error("the program ended");
    return JSON.parse(line.value) as DriverAnswer;
  }

  /** Asks for what must succeed. */
  async value(request: DriverRequest): Promise<unknown> {
    const answer = await this.ask(request);
    if ("value" in answer) return answer.value;
    throw new EnterpriseError(answer.code as EnterpriseErrorCode, answer.shown, {
      ...(answer.reason === undefined ? {} : { reason: answer.reason }),
    });
  }

  /** Sends a signal. */
  signal(signal: Deno.Signal): void {
    this.#child.kill(signal);
  }

  /** Ends it at once, as a crash would. */
  async end(): Promise<void> {
    try {
      this.#child.kill("SIGKILL");
    } catch (error) {
      if (!(error instanceof TypeError)) throw error; // It has ended by itself.
    }
    await this.#child.status;
    await this.#child.stdin.close().catch(() => undefined);
    await this.#lines.return?.();
  }

  /** Its keyring, as if it were here. */
  async keyring(): Promise<Keyring> {
    const name = await this.value({ ask: "describe" }) as KeyringName;
    return {
      describe: () => name,
      unsettled: () => null,
      read: async (entry: KeyringEntry, signal) =>
        await this.value({ ask: "read", entry, aborted: signal.aborted }) as string | null,
      write: async (entry: KeyringEntry, { secret, signal }) => {
        await this.value({ ask: "write", entry, secret, aborted: signal.aborted });
      },
      delete: async (entry: KeyringEntry, signal) =>
        await this.value({ ask: "delete", entry, aborted: signal.aborted }) as boolean,
    };
  }
}

async function* linesOf(stream: ReadableStream<Uint8Array>): AsyncGenerator<string> {
  let held = "";
  for await (
    const chunk of stream.pipeThrough(new TextDecoderStream() as TransformStream<Uint8Array, string>)
  ) {
    const parts = `${held}${chunk}`.split("\n");
    held = parts.pop() ?? "";
    yield* parts;
  }
}
