/**
 * Text of somebody else as it may stand on a terminal with its lines kept. What takes its place is the caller's.
 *
 * @module
 */

/** What a terminal takes for a command or for the direction of writing, line ends and tabs excepted. */
// deno-lint-ignore no-control-regex
const UNSAFE = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u200e\u200f\u2028-\u202e\u2066-\u2069]/g;

/** `text` with `\n` for each line end, and what `replacement` gives for each character that a terminal would obey. */
export function terminalText(text: string, replacement: (one: string) => string): string {
  return text.replaceAll("\r\n", "\n").replace(UNSAFE, replacement);
}
