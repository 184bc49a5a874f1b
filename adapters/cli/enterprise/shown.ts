/**
 * Text of an identity provider as it may stand on a terminal: printable, cut, without anything that moves the cursor
 * or turns the direction of writing.
 *
 * @module
 */

/** `text` with everything that is not plainly visible replaced, cut after 120 characters. */
export function shown(text: string): string {
  const visible = text.replace(/[\p{C}\p{Zl}\p{Zp}]/gu, "\ufffd");
  return visible.length > 120 ? `${[...visible].slice(0, 119).join("")}…` : visible;
}
