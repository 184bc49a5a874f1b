/**
 * Text of an identity provider or of a project's file as it may stand on a terminal: printable, cut, without anything
 * that moves the cursor or turns the direction of writing.
 *
 * @module
 */

/** `text` with everything that is not plainly visible replaced. */
export function visible(text: string): string {
  return text.replace(/[\p{C}\p{Zl}\p{Zp}]/gu, "\ufffd");
}

/** The same, cut after 120 characters. */
export function shown(text: string): string {
  const whole = visible(text);
  return whole.length > 120 ? `${[...whole].slice(0, 119).join("")}…` : whole;
}
