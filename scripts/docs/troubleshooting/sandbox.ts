/**
 * Advice on the codes of a sandboxed call: authority, sessions, programs, JSON texts.
 *
 * @module
 */

import type {
  JsonErrorCode,
  ProcessErrorCode,
  SandboxErrorCode,
  SessionErrorCode,
} from "../../../core/errors.ts";
import type { AdviceOn } from "./advice.ts";

const CHECK = "`codex-mcp check -- SERVER CMD…` starts the server as a host does";

/** Advice on what can be wrong with a call's authority. */
export const SANDBOX_ADVICE: AdviceOn<SandboxErrorCode> = {
  STATE_MISSING: {
    cause:
      "The server does not advertise `codex/sandbox-state` (it stands in the server's name and version instead of " +
      "its options), the host sends no sandbox states, the call comes from a button and not from a turn, or a relay " +
      "between them drops `_meta` or the capability.",
    look:
      `${CHECK}: the case \`advertises\` fails where nothing is advertised. The message names the host's client.`,
    fix:
      "Put `advertiseSandboxState()` into the server's capabilities. Behind a relay or gateway, use one that passes " +
      "both on, such as `codex-mcp relay`. Do not take the state from anywhere else.",
  },
  STATE_CONFLICT: {
    cause:
      "Something between host and server changed one of the two copies, two `_meta` objects were merged, or a " +
      "message names a key twice or is not UTF-8.",
    look: `${CHECK}; when all its cases pass, the conflict is made between host and server.`,
    fix:
      "Pass `_meta` on as it is. A server that reads source texts takes them from the message of the same call.",
  },
  STATE_INEXACT: {
    cause:
      "The state holds a number that JavaScript rounds, such as a 64-bit integer, `1e400` or `-0`, and the server " +
      "got it parsed: over HTTP through an SDK, or over stdio without `exactStdin`.",
    look: `${CHECK}: the case \`exact-numbers\`.`,
    fix:
      "Read standard input with `exactStdin()` and hand its `sourceTexts` on. A host that sends such a state gives " +
      "its text.",
  },
  STATE_TOO_LARGE: {
    cause: "A policy with very many entries: about 1,200 on Linux, where one argument holds 131,071 bytes.",
    look: "The message has size and limit; the doctor's check `argument-limit` measures this system.",
    fix: "Have fewer writable roots and entries in the host's policy. A server must not shorten it.",
  },
  LAUNCHER_MISSING: {
    cause:
      "The server is reached over HTTP or belongs to another environment; or the host has no Codex CLI, or one " +
      "that it must not send: in the workspace, under a writable root, not answering as a Codex CLI.",
    look:
      "`codex-mcp doctor`: its check `launcher` says which Codex CLIs were found and why each was passed over.",
    fix:
      "Run the server as a local stdio server, and install the Codex CLI outside of workspaces and temporary " +
      "folders, or name one with `--codex`. An operator may accept commands without a sandbox: " +
      "`codex-mcp serve --allow-unsandboxed`.",
  },
  LAUNCHER_INVALID: {
    cause:
      "The launcher is a relative path or a `.cmd`, `.bat` or `.ps1` file; it came over something else than the " +
      "server's own stdio; it does not answer as a Codex CLI; or it was replaced on disk while the server ran.",
    look: "The message says which. `codex-mcp doctor --codex PATH` tries the executable itself.",
    fix:
      "After an update of the Codex CLI, start the server anew. Otherwise have the host name the real executable, " +
      "which npm's packages hold under `vendor/`.",
  },
  AUTHORITY_CHANGED: {
    cause:
      "Somebody changed the sandbox mode, the writable roots or the project, and then used a session, a cached " +
      "result or a repeat that an earlier call had been allowed.",
    look: "The message counts the places that differ. For a session it names some of them, as JSON Pointers.",
    fix: "Start what you need anew: it then runs under the authority of the new call.",
  },
  COMMAND_INVALID: {
    cause:
      "An empty command, an argument with a NUL or half a character, one over the system's limit, a readable root " +
      "that is not absolute, or a change of directory on Windows.",
    look: "The message quotes the value.",
    fix: "Correct the command; hand large input over in a file or on standard input.",
  },
  PROFILE_REFUSED: {
    cause:
      "The server runs with `--refuse-disabled` (`refuseDisabled`), and the host's policy sandboxes nothing " +
      "(`danger-full-access`) or is of a kind that is not known.",
    look: "The message says which of the two.",
    fix: "Choose another sandbox mode in the host, or have the operator start the server without that flag.",
  },
  DIRECTORY_UNKNOWN: {
    cause:
      "A server asked for the project directory of a state that names none in a form that is known. Sandboxed " +
      "commands do not need it.",
    look: "The message says what is wrong with it.",
    fix: "Do without the directory, or ask for it in the tool's arguments: it grants nothing there.",
  },
  DIRECTORY_NOT_NATIVE: {
    cause: "Host and server run on different systems, such as an agent in WSL and a server on Windows.",
    look: "The message names the system that the server runs on.",
    fix: "Run both on the same side. Paths are not translated.",
  },
};

const STARTED =
  "The message names the program; `codex-mcp doctor` looks at the programs of configured servers.";

/** Advice on what can go wrong when a program is started. */
export const PROCESS_ADVICE: AdviceOn<ProcessErrorCode> = {
  PROGRAM_NOT_FOUND: {
    cause: "The program is not installed, or not where `PATH` leads.",
    look: STARTED,
    fix: "Install it or correct the path. A server's `PATH` is the host's.",
  },
  PROGRAM_NOT_EXECUTABLE: {
    cause: "The file may not be executed, is a folder, or is made for another machine.",
    look: STARTED,
    fix: "Make it executable, or install the build for this machine.",
  },
  DIRECTORY_NOT_FOUND: {
    cause: "The working directory was deleted, or never existed.",
    look: STARTED,
    fix: "Create it, or correct `cwd` in the configuration or `--cwd` on the command line.",
  },
  ARGUMENTS_TOO_LARGE: {
    cause: "Arguments and environment together are more than the system takes.",
    look: "The doctor's check `argument-limit` measures one argument.",
    fix: "Pass less: a shorter command, fewer variables by `--pass-env`.",
  },
  SPAWN_FAILED: {
    cause: "The system refused for a reason of its own: no processes, memory or permission left.",
    look: "The error's `cause` has the system's own code.",
    fix: "See the code. On Deno, the process needs `--allow-run`.",
  },
};

/** Advice on what can be wrong with the use of a session. They are tool errors of the bundled server. */
export const SESSION_ADVICE: AdviceOn<SessionErrorCode> = {
  SESSION_UNKNOWN: {
    cause: "The id is wrong, the session was ended, or it belongs to another thread.",
    look: "`session_start` answers with the id.",
    fix: "Start a new session.",
  },
  SESSION_ENDED: {
    cause: "The process ended by itself, was idle or alive for too long, or its authority changed.",
    look: "`session_read` still gives its last output and how it ended.",
    fix:
      "Start a new one. The operator sets the times: `codex-mcp serve --session-idle 3600 --session-lifetime 28800`.",
  },
  SESSION_BUSY: {
    cause: "The process has not read what it was sent before.",
    look: "`session_read` shows what it does.",
    fix: "Send the rest later, or end the session.",
  },
  SESSION_LIMIT: {
    cause: "Sessions are started and not ended.",
    look: "The message has the limit.",
    fix: "End those that are no longer needed, or raise the limit: `codex-mcp serve --max-sessions 32`.",
  },
  SESSION_INVALID: {
    cause:
      "An argument of `session_start`, `session_send`, `session_read` or `session_end` is missing or of another " +
      "type, or the call does not say which thread it belongs to.",
    look: "The message names the argument.",
    fix: "Correct the call as the tool's schema says.",
  },
};

/** Advice on what can be wrong with a JSON text. */
export const JSON_ADVICE: AdviceOn<JsonErrorCode> = {
  JSON_MALFORMED: {
    cause: "A message, a policy file or a record was cut off or is not JSON.",
    look: "The error's `offset` is the place, where it was looked for.",
    fix: "Correct the text at its source.",
  },
  JSON_DUPLICATE_KEY: {
    cause: "An object names a key twice, so that nobody can say which one counts.",
    look: "The error's `offset` is the place, where it was looked for.",
    fix: "Have whoever writes it name each key once.",
  },
};
