/**
 * The commands of ours in a text of a shell: which tasks of `deno.json` it runs, and `codex-mcp` with which flags.
 * Whether these exist is decided in `commands.ts`.
 *
 * This reads what documents hold, not a shell's whole language: words between spaces, `'…'` and `"…"`, ends of lines,
 * `#`, `|`, `;`, `&` and `\` at the end of a line.
 *
 * @module
 */

/** A command of ours. */
export interface ShownCommand {
  /** What it is. */
  readonly kind: "task" | "codex-mcp";
  /** The words after `task` or `codex-mcp`, up to a `--` of its own. */
  readonly words: readonly string[];
  /** Line in the text, from 1. */
  readonly line: number;
}

/** Words that begin our command line: its name, or its source. */
const OURS = /^(?:\S*\/)?(?:codex-mcp(?:@\S+)?|adapters\/cli\/main\.ts)$/;

/** The commands of ours in `text`, in their order. */
export function readShell(text: string): ShownCommand[] {
  const commands: ShownCommand[] = [];
  for (const { words, line } of simpleCommands(text)) {
    const task = words.findIndex((word, at) =>
      word === "task" && /^(?:\S*\/)?deno(?:@\S+)?$/.test(words[at - 1] ?? "")
    );
    if (task >= 0) {
      const rest = withoutConfig(words.slice(task + 1));
      commands.push({ kind: "task", words: rest, line });
      if (rest[0] === "codex-mcp") commands.push({ kind: "codex-mcp", words: ownWords(rest.slice(1)), line });
      continue;
    }
    const ours = words.findIndex((word) => OURS.test(word));
    if (ours >= 0 && isStart(words.slice(0, ours))) {
      commands.push({ kind: "codex-mcp", words: ownWords(words.slice(ours + 1)), line });
    }
  }
  return commands;
}

/** Whether these words start the next one: none, settings of variables, or a runner with its flags. */
function isStart(words: readonly string[]): boolean {
  const bare = words.filter((word) => !/^\w+=/.test(word) && word !== "$");
  return bare.length === 0 || /^(?:npx|deno|bunx|exec|sudo|codex|node)$/.test(bare[0] ?? "");
}

/** `deno task` has flags of its own before the name: `--config FILE` alone is used. */
function withoutConfig(words: readonly string[]): readonly string[] {
  return words[0] === "--config" ? words.slice(2) : words;
}

/** What follows `--` is another's command line. */
function ownWords(words: readonly string[]): readonly string[] {
  const end = words.indexOf("--");
  return end < 0 ? words : words.slice(0, end);
}

interface SimpleCommand {
  readonly words: readonly string[];
  readonly line: number;
}

function simpleCommands(text: string): SimpleCommand[] {
  const commands: SimpleCommand[] = [];
  let words: string[] = [];
  let line = 1;
  let begin = 1;
  const end = (): void => {
    if (words.length > 0) commands.push({ words, line: begin });
    words = [];
  };
  const token =
    /\\\n|\n|#(?<=(?:^|\s)#)[^\n]*|[ \t]+|[|;&()]+|(?:'[^']*'|"(?:\\.|[^"\\])*"|\\[^\n]|[^\s|;&()'"\\])+|[^]/g;
  for (const [part] of text.matchAll(token)) {
    if (words.length === 0) begin = line;
    if (part === "\n" || /^[|;&()]/.test(part)) end();
    else if (part !== "\\\n" && !/^[ \t#]/.test(part)) words.push(unquoted(part));
    line += part.split("\n").length - 1;
  }
  end();
  return commands;
}

function unquoted(word: string): string {
  return word.replace(
    /'([^']*)'|"((?:\\.|[^"\\])*)"|\\(.)/g,
    (_, single, double, escaped) => single ?? double?.replace(/\\(["\\$])/g, "$1") ?? escaped,
  );
}
