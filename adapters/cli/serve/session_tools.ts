/**
 * The session tools of `codex-mcp serve`: a process that is kept between calls, such as a REPL, under the authority
 * of the call that started it.
 *
 * This file decides how a call becomes a use of a session. `adapters/sandbox/session.ts` decides whether it is let
 * in, `adapters/mcp/server/thread_of.ts` says whose call it is. Where the host names no thread, a connection counts as
 * one.
 *
 * @module
 */

import type { McpServer, ServerContext } from "@modelcontextprotocol/server";
import type { AuthorityOptions } from "../../mcp/server/authority_of.ts";
import { threadOf } from "../../mcp/server/thread_of.ts";
import type { ToolText } from "../../mcp/server/tool_result.ts";
import { withAuthority } from "../../mcp/server/with_authority.ts";
import type { AuthoritySession } from "../../sandbox/session.ts";
import type { SessionUse } from "../../sandbox/session_options.ts";
import type { SessionReport } from "../../sandbox/session_report.ts";
import type { AuthoritySessions } from "../../sandbox/sessions.ts";
import { listedSchema } from "./listed_schema.ts";
import {
  parseInput,
  parseStartArguments,
  parseUseArguments,
  SESSION_INPUT_SCHEMAS,
  type SessionToolName,
} from "./session_arguments.ts";
import { SESSION_REPORT_SCHEMA } from "./session_schema.ts";

/** What the tools work with. */
export interface SessionToolsOptions extends Pick<AuthorityOptions, "sourceTexts"> {
  /** The sessions; may serve several servers. */
  readonly sessions: AuthoritySessions;
}

/** The tool result of a use of a session. */
type SessionResult = {
  isError: false;
  content: ToolText[];
  structuredContent: { [Field in keyof SessionReport]: SessionReport[Field] };
};

/** One call of a tool. */
interface Call {
  readonly args: unknown;
  readonly use: SessionUse;
  readonly signal: AbortSignal;
}

interface Tool {
  readonly title: string;
  readonly description: string;
  readonly annotations: {
    readonly destructiveHint: boolean;
    readonly idempotentHint: boolean;
    readonly openWorldHint: boolean;
  };
  readonly call: (sessions: AuthoritySessions, call: Call) => Promise<SessionReport>;
}

const RUNS = { destructiveHint: true, idempotentHint: false, openWorldHint: true };

const TOOLS: Readonly<Record<SessionToolName, Tool>> = {
  session_start: {
    title: "Start a session",
    description:
      "Starts a command that keeps running between calls, such as a REPL or a development server, in the sandbox " +
      "that the host sent with this call, and returns its sessionId and first output. There is no terminal: use " +
      "flags such as `python3 -i -u`. A later call under another sandbox policy is refused and ends the process.",
    annotations: RUNS,
    call: start,
  },
  session_send: {
    title: "Send to a session",
    description: "Sends text to the standard input of a session and returns what it wrote.",
    annotations: RUNS,
    call: async (sessions, { args, use, signal }) => {
      const { sessionId, waitMs } = parseUseArguments(args);
      return await sessions.find(sessionId, use.thread).send(use, parseInput(args), { waitMs, signal });
    },
  },
  session_read: {
    title: "Read from a session",
    description: "Returns what a session wrote since the last call, and whether it still runs.",
    annotations: { destructiveHint: false, idempotentHint: false, openWorldHint: false },
    call: async (sessions, { args, use, signal }) => {
      const { sessionId, waitMs } = parseUseArguments(args);
      return await sessions.find(sessionId, use.thread).read(use, { waitMs, signal });
    },
  },
  session_end: {
    title: "End a session",
    description: "Ends the process of a session, and returns what it wrote last.",
    annotations: { destructiveHint: false, idempotentHint: true, openWorldHint: false },
    call: async (sessions, { args, use }) => {
      return await sessions.find(parseUseArguments(args).sessionId, use.thread).end(use);
    },
  },
};

/** Adds the session tools to `server`, which is that of one connection. */
export function registerSessionTools(server: McpServer, options: SessionToolsOptions): void {
  const { sessions, sourceTexts } = options;
  const connection = `connection ${crypto.randomUUID()}`;
  for (const [name, { title, description, annotations, call }] of Object.entries(TOOLS)) {
    server.registerTool(
      name,
      {
        title,
        description,
        inputSchema: listedSchema<unknown>(SESSION_INPUT_SCHEMAS[name as SessionToolName]),
        outputSchema: listedSchema<unknown>(SESSION_REPORT_SCHEMA),
        annotations: { readOnlyHint: false, ...annotations },
      },
      withAuthority(
        async (args: unknown, authority, context: ServerContext) => {
          const thread = threadOf(context);
          const use = { authority, thread: thread === undefined ? connection : `thread ${thread}` };
          return resultOf(await call(sessions, { args, use, signal: context.mcpReq.signal }));
        },
        { transport: "stdio", server, sourceTexts },
      ),
    );
  }
}

/** A call that is cancelled leaves no process: nobody would learn the id of its session. */
async function start(sessions: AuthoritySessions, { args, use, signal }: Call): Promise<SessionReport> {
  const { waitMs, ...options } = parseStartArguments(args);
  const session: AuthoritySession = await sessions.start(use, { ...options, signal });
  try {
    const report = await session.read(use, { waitMs, signal });
    signal.throwIfAborted();
    return report;
  } catch (error) {
    await session.close();
    throw error;
  }
}

function resultOf(report: SessionReport): SessionResult {
  return {
    isError: false,
    content: [{ type: "text", text: JSON.stringify(report) }],
    structuredContent: { ...report },
  };
}
