/**
 * Advice on what can go wrong between a host and its servers.
 *
 * @module
 */

import type { HostErrorCode } from "../../../core/errors.ts";
import type { AdviceOn } from "./advice.ts";

const STDERR = "`codex-mcp servers --stderr` shows what the server wrote before.";

/** Advice on a host's errors. */
export const HOST_ADVICE: AdviceOn<HostErrorCode> = {
  CONFIGURATION_INVALID: {
    cause: "The file is not TOML or JSON, or an entry breaks a rule.",
    look:
      "`codex-mcp doctor` names file, line and field, with one of the codes [below](#faults-of-the-configuration).",
    fix: "Correct that field. Servers whose entries are fine work on meanwhile.",
  },
  SERVER_UNKNOWN: {
    cause: "The name is spelled differently in the configuration, or another file is read than you think.",
    look: "`codex-mcp servers --offline` lists the names.",
    fix: "Use one of them, or name the file with `--config`.",
  },
  SERVER_DISABLED: {
    cause: "`enabled = false`, or a fault in its entry.",
    look: "`codex-mcp doctor SERVER` says which field.",
    fix: "Switch it on, or correct the field.",
  },
  SERVER_UNAVAILABLE: {
    cause: "Its program ends at once, is not there, or nobody listens at its URL.",
    look: STDERR,
    fix: "Start the server by hand with the same command, or check the address and the network.",
  },
  SERVER_TIMEOUT: {
    cause:
      "The server waits for something, often a first download, or writes something else than MCP to its standard " +
      "output.",
    look: STDERR,
    fix: "Start it once by hand, or raise its `startup_timeout_sec`.",
  },
  CONNECTION_LOST: {
    cause: "The server crashed or was ended, or the network went away.",
    look: STDERR,
    fix:
      "See whether the tool did its work before you call it again: that is not known, and no call is repeated by " +
      "itself.",
  },
  TOOL_UNKNOWN: {
    cause:
      "The tool has another name, or the server offers it under other circumstances only. Where the server's list " +
      "is not known yet, the server itself answers, and some answer with a tool's error (exit code 1) instead.",
    look: "`codex-mcp tools SERVER --refresh` asks the server anew.",
    fix: "Use a name from that list.",
  },
  TOOL_DISABLED: {
    cause: "`enabled_tools` does not have it, or `disabled_tools` does.",
    look: "The message names the field.",
    fix: "Change that list, if you decide about it.",
  },
  CALL_TIMEOUT: {
    cause: "The tool takes longer than `tool_timeout_sec`, or `--timeout`, allows.",
    look: STDERR,
    fix: "Raise the limit. The server was told to stop; whether the tool did its work is not known.",
  },
  CALL_CANCELLED: {
    cause: "The signal of the call was aborted, or the program was interrupted.",
    look: "The program that called knows.",
    fix: "Call again if you want the result.",
  },
  PROTOCOL_ERROR: {
    cause: "The server refused the arguments or the method, or sent what MCP does not allow.",
    look:
      "`rpcCode` is the server's code: `-32602` means the arguments. `codex-mcp tools SERVER --schema` shows what " +
      "they have to be.",
    fix: "Correct the arguments, or update the server.",
  },
  RESULT_INVALID: {
    cause: "The server's `structuredContent` does not fit the tool's `outputSchema`.",
    look:
      "`codex-mcp tools SERVER --schema` shows the schema of the arguments; the server's author has that of results.",
    fix: "Have the server corrected. The result is not handed on.",
  },
  INPUT_REQUIRED: {
    cause: "The tool asks the person for something (elicitation), and this host has nobody to ask.",
    look: "The message says what was asked for, in general.",
    fix: "Call it in a host with a person, or give `createHost` an `onInput` that answers.",
  },
  THREAD_CLOSED: {
    cause: "The program used a thread after `close`.",
    look: "The program itself.",
    fix: "Open another thread.",
  },
  HOST_CLOSED: {
    cause: "The program used a host after `close`.",
    look: "The program itself.",
    fix: "Create another host.",
  },
};
