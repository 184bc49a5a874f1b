/**
 * Sending a JSON text unchanged through an SDK that encodes messages itself: a placeholder travels in its place
 * and is replaced in the encoded message.
 *
 * @module
 */

/**
 * Characters of texts that are kept for one connection: 128 states of the largest size that a system can start. Texts
 * that are still to be sent are kept beyond that, as many times as {@linkcode MAX_WAITING} says.
 */
const MAX_LENGTH = 16_777_216;

/** How many times as much may be waiting to be sent: a message that never goes out leaves its text waiting. */
const MAX_WAITING = 8;

/** The texts of one connection and their placeholders. */
export class ExactTexts {
  readonly #maxLength: number;
  readonly #prefix = `exact-text:${crypto.randomUUID()}:`;
  readonly #pattern = new RegExp(`"${this.#prefix}(\\d+)"`, "g");
  /** In the order of their last use. */
  readonly #texts = new Map<number, string>();
  readonly #numbers = new Map<string, number>();
  /** Those whose message has not been encoded since they were registered last. */
  readonly #waiting = new Set<number>();
  #last = 0;
  #length = 0;

  /**
   * Creates it; `maxLength` is how many characters of texts are kept, beside those that are waiting and the last text
   * whatever its length.
   */
  constructor(maxLength: number = MAX_LENGTH) {
    this.#maxLength = maxLength;
  }

  /**
   * Registers a JSON text and gives back the string to put in its place, the same for the same text. The string
   * holds 122 random bits, so no caller can name it. Line breaks between tokens become spaces, since a message is
   * one line; nothing else of the text changes.
   *
   * Throws a `SyntaxError` when `text` is not JSON, or holds half a character, which UTF-8 cannot write.
   */
  placeholder(text: string): string {
    JSON.parse(text);
    if (!text.isWellFormed()) throw new SyntaxError("Cannot send an exact text: it holds half a character");
    // a JSON string cannot hold a bare line break, so each of these stands between tokens
    const line = text.trim().replaceAll(/[\r\n]/g, " ");
    const number = this.#numbers.get(line) ?? ++this.#last;
    this.#waiting.add(number);
    this.#use(number, line);
    return `${this.#prefix}${number}`;
  }

  /**
   * Replaces the placeholders in an encoded message by their texts. A text serves any number of messages: a call
   * that is sent again carries it again. Throws an `Error` when a text is no longer kept, since many others were
   * registered after its last use: a placeholder never goes out as itself.
   */
  splice(message: string): string {
    if (!message.includes(this.#prefix)) return message;
    return message.replaceAll(this.#pattern, (_whole, digits: string) => {
      const number = Number(digits);
      const text = this.#texts.get(number);
      if (text === undefined) throw new Error("Cannot send an exact text: it is no longer kept");
      this.#waiting.delete(number);
      this.#use(number, text);
      return text;
    });
  }

  #use(number: number, text: string): void {
    if (!this.#texts.delete(number)) this.#length += text.length;
    this.#texts.set(number, text);
    this.#numbers.set(text, number);
    for (const [old, one] of this.#texts) {
      if (this.#length <= this.#maxLength) return;
      if (old === number || this.#waiting.has(old) && this.#length <= this.#maxLength * MAX_WAITING) continue;
      this.#texts.delete(old);
      this.#waiting.delete(old);
      this.#numbers.delete(one);
      this.#length -= one.length;
    }
  }
}
