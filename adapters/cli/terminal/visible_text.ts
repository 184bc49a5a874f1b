/**
 * Text of a server as it may stand on a terminal with its lines kept. One line of it is `shown.ts`'s.
 *
 * @module
 */

import { terminalText } from "../../terminal_text.ts";

/**
 * `text` with line ends and tabs as they are, and everything else replaced that moves the cursor, turns the direction
 * of writing. What joins and shapes letters stays.
 *
 * @example
 * ```ts
 * import { visibleText } from "./visible_text.ts";
 *
 * console.log(visibleText("a\r\nb\u001b[2J")); // "a\nb\ufffd[2J"
 * ```
 */
export function visibleText(text: string): string {
  return terminalText(text, () => "\ufffd");
}
