/**
 * Sending a JSON text unchanged through an SDK that encodes messages itself: a placeholder travels in its place
 * and is replaced in the encoded line.
 *
 * @module
 */

/** The texts of one connection and their placeholders. */
export class ExactTexts {
  readonly #texts = new Map<string, string>();

  /**
   * Registers a JSON text and gives back the string to put in its place. The string holds 122 random bits, so no
   * caller can name it. Line breaks between tokens become spaces, since a message is one line; nothing else of
   * the text changes.
   *
   * Throws a `SyntaxError` when `text` is not JSON.
   */
  placeholder(text: string): string {
    JSON.parse(text);
    const token = `exact-text:${crypto.randomUUID()}`;
    // a JSON string cannot hold a bare line break, so each of these stands between tokens
    this.#texts.set(token, text.trim().replaceAll(/[\r\n]/g, " "));
    return token;
  }

  /** Replaces the placeholders in an encoded message by their texts, each of which is used in one message. */
  splice(line: string): string {
    let spliced = line;
    for (const [token, text] of this.#texts) {
      if (!spliced.includes(token)) continue;
      spliced = spliced.replaceAll(`"${token}"`, () => text);
      this.#texts.delete(token);
    }
    return spliced;
  }
}
