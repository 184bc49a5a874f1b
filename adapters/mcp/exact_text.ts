/**
 * Sending a JSON text unchanged through an SDK that encodes messages itself: a placeholder travels in its place
 * and is replaced in the encoded message.
 *
 * @module
 */

/** Characters of texts that are kept for one connection: 128 states of the largest size that a system can start. */
const MAX_LENGTH = 16_777_216;

/** The texts of one connection and their placeholders. */
export class ExactTexts {
  readonly #maxLength: number;
  readonly #prefix = `exact-text:${crypto.randomUUID()}:`;
  readonly #pattern = new RegExp(`"${this.#prefix}(\\d+)"`, "g");
  /** In the order of their last use. */
  readonly #texts = new Map<number, string>();
  readonly #numbers = new Map<string, number>();
  #last = 0;
  #length = 0;

  /** Creates it; `maxLength` is how many characters of texts are kept, the last text whatever its length. */
  constructor(maxLength: number = MAX_LENGTH) {
    this.#maxLength = maxLength;
  }

  /**
   * Registers a JSON text and gives back the string to put in its place, the same for the same text. The string
   * holds 122 random bits, so no caller can name it. Line breaks between tokens become spaces, since a message is
   * one line; nothing else of the text changes.
   *
   * Throws a `SyntaxError` when `text` is not JSON.
   */
  placeholder(text: string): string {
    JSON.parse(text);
    // a JSON string cannot hold a bare line break, so each of these stands between tokens
    const line = text.trim().replaceAll(/[\r\n]/g, " ");
    const number = this.#numbers.get(line) ?? ++this.#last;
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
      this.#use(number, text);
      return text;
    });
  }

  #use(number: number, text: string): void {
    if (!this.#texts.delete(number)) this.#length += text.length;
    this.#texts.set(number, text);
    this.#numbers.set(text, number);
    for (const [old, one] of this.#texts) {
      if (this.#length <= this.#maxLength || old === number) return;
      this.#texts.delete(old);
      this.#numbers.delete(one);
      this.#length -= one.length;
    }
  }
}
