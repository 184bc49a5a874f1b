/**
 * The command line as a whole: which commands there are, and what an error that ends one becomes. Each command
 * is loaded when it is asked for, so that none pays for the dependencies of another.
 *
 * @module
 */

import { VERSION } from "../version.ts";
import type { Command } from "./program/command.ts";
import { EXIT, exitCodeOf, UsageError } from "./program/exit_code.ts";
import { type Flags, readFlags } from "./program/flags.ts";
import { missingPackage, MissingPackageError } from "./program/missing_package.ts";
import { readMixedFlags } from "./program/mixed_flags.ts";
import { byNpx, onSameFile, startedAs } from "./program/next_command.ts";
import type { CliRuntime } from "./program/runtime.ts";
import { NODE_CONSOLE } from "./terminal/console.ts";
import { visible } from "./terminal/shown.ts";
import {
  diagnose,
  isTerminal,
  paint,
  print,
  printJson,
  speakThrough,
  watchOutput,
} from "./terminal/terminal.ts";

const HELP = `codex-mcp: MCP tool calls with captured authority

  codex-mcp exec -- CMD…      run a command through the whole chain, in a sandbox
  codex-mcp serve             the stdio MCP server with the sandboxed exec tool
  codex-mcp doctor            check everything that a sandboxed call needs, each with its fix
  codex-mcp check -- SERVER…  check whether an MCP server honours the sandbox contract
  codex-mcp relay -- SERVER…  pass a stdio MCP server on, byte for byte
  codex-mcp servers           connect to the configured servers, and say how that went
  codex-mcp tools SERVER      the tools of a configured server
  codex-mcp call SERVER TOOL  call a tool of a configured server
  codex-mcp login             sign in for the servers that the company's identity provider opens
  codex-mcp logout            sign out again
  codex-mcp status            what is known of sandbox, servers and sign-ins, and what to do next
  codex-mcp token SERVER      print a bearer for a script

  codex-mcp COMMAND --help    the flags of a command
  codex-mcp --version

Exit codes: 0 done, 1 a check failed or a tool reported an error, 2 wrong command line, 3 refused,
4 sign-in needed, 5 unavailable, 130 interrupted. exec exits with the status of its command, or with 125.
`;

/** The commands, each loaded when it is asked for. */
export const COMMANDS: Readonly<Record<string, () => Promise<Command>>> = {
  exec: async () => (await import("./commands/exec.ts")).EXEC,
  serve: async () => (await import("./commands/serve.ts")).SERVE,
  doctor: async () => (await import("./commands/doctor.ts")).DOCTOR,
  check: async () => (await import("./commands/check.ts")).CHECK,
  relay: async () => (await import("./commands/relay.ts")).RELAY,
  servers: async () => (await import("./commands/servers.ts")).SERVERS,
  tools: async () => (await import("./commands/tools.ts")).TOOLS,
  call: async () => (await import("./commands/call.ts")).CALL,
  login: async () => (await import("./commands/login.ts")).LOGIN,
  logout: async () => (await import("./commands/logout.ts")).LOGOUT,
  status: async () => (await import("./commands/status.ts")).STATUS,
  token: async () => (await import("./commands/token.ts")).TOKEN,
};

/** What needs no streams of Node: no package that it loads, and no other process, writes to them. */
const QUICK: readonly (string | undefined)[] = ["status", "help", "--help", "-h", "--version", "-V"];

/** Runs the command line and gives back the exit code. Never rejects. */
export async function runCommandLine(runtime: CliRuntime): Promise<number> {
  const [name, ...args] = runtime.args;
  speakThrough(QUICK.includes(name) ? runtime.console ?? NODE_CONSOLE : NODE_CONSOLE);
  startedAs(runtime.program);
  const watch = watchOutput();
  const code = await runCommand(runtime, name, args);
  // those speak a protocol there, and have waited for what they wrote
  if (name !== "serve" && name !== "relay") await watch.settle();
  const failure = watch.failure();
  if (failure === undefined || name === "serve") return code;
  // whoever closed the pipe knows; any other failure is news
  if (failure !== "EPIPE") diagnose(`codex-mcp: Cannot write standard output: ${failure}`);
  return name === "exec" ? EXIT.chain : EXIT.failed;
}

async function runCommand(
  runtime: CliRuntime,
  name: string | undefined,
  args: readonly string[],
): Promise<number> {
  const json = asksForJson(runtime.args);
  if (name === "--version" || name === "-V") {
    if (json) printJson({ version: VERSION });
    else print(`codex-mcp ${VERSION}`);
    return EXIT.done;
  }
  if (name === "--help" || name === "-h" || name === "help") return tellHelp(HELP, json);
  let flags: Flags | null = null;
  try {
    const load = name !== undefined && Object.hasOwn(COMMANDS, name) ? COMMANDS[name] : undefined;
    if (load === undefined) {
      throw new UsageError(
        name === undefined || name === "--json"
          ? "Which command?"
          : `There is no command ${JSON.stringify(name)}.`,
      );
    }
    const { help, flags: names, run, mixed = false } = await load();
    const read = mixed ? readMixedFlags : readFlags;
    flags = read(args, { ...names, switches: [...names.switches ?? [], "help", "json"] });
    return flags.has("help") ? tellHelp(help, json) : await run(runtime, flags);
  } catch (error) {
    return fail(missingPackage(error) ?? error, { json, name, flags });
  }
}

function tellHelp(help: string, json: boolean): number {
  if (json) printJson({ help });
  else print(help.trimEnd());
  return EXIT.done;
}

function fail(
  error: unknown,
  { json, name, flags }: {
    readonly json: boolean;
    readonly name: string | undefined;
    readonly flags: Flags | null;
  },
): number {
  const text = error instanceof Error ? error.message : String(error);
  const message = visible(flags === null ? byNpx(text) : onSameFile(text, flags));
  const code = error instanceof Error && "code" in error ? String(error.code) : undefined;
  if (json) {
    printJson({ error: { code: code ?? (error instanceof UsageError ? "USAGE" : "FAILED"), message } });
  } else {
    diagnose(
      `${paint("codex-mcp:", "bad", { isTTY: isTerminal("stderr") })} ${
        code === undefined ? "" : `${code}: `
      }${message}`,
    );
    if (error instanceof UsageError) {
      const known = name !== undefined && Object.hasOwn(COMMANDS, name) ? `${name} ` : "";
      diagnose(byNpx(`Try: codex-mcp ${known}--help`));
    }
  }
  return name === "exec" && error instanceof MissingPackageError ? EXIT.chain : exitCodeOf(error);
}

/** Whether JSON was asked for, as far as a command line that may be wrong can tell. */
function asksForJson(args: readonly string[]): boolean {
  const end = args.indexOf("--");
  return args.slice(0, end < 0 ? args.length : end).includes("--json");
}
