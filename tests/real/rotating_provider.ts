/**
 * As much of an identity provider as rotates refresh tokens: each one may be used once, and one that comes a second
 * time ends the sign-in, as RFC 9700, 4.14.2 asks for.
 *
 * @module
 */

import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";

/** A running identity provider with one sign-in. */
export class RotatingProvider {
  /** Whether a spent token came, and ended the sign-in. */
  ended = false;
  /** How many tokens it gave for another. */
  rotations = 0;
  readonly #server: Server;
  #current = "";
  #stalled: (() => void) | null = null;

  private constructor() {
    this.#server = createServer((request, response) => {
      let body = "";
      request.setEncoding("utf8").on("data", (part: string) => body += part);
      request.on("end", () => {
        if (this.#stalled !== null) return this.#stalled();
        const answer = this.#rotate(body);
        const send = (): void =>
          void response.writeHead(answer === null ? 400 : 200).end(answer ?? "invalid_grant");
        setTimeout(send, Math.random() * 8);
      });
    });
  }

  /** Starts one on a loopback port. */
  static async start(): Promise<RotatingProvider> {
    const provider = new RotatingProvider();
    await new Promise<void>((resolve) => provider.#server.listen(0, "127.0.0.1", resolve));
    return provider;
  }

  /** Where tokens are rotated. */
  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}/`;
  }

  /** Begins a sign-in anew, and gives its first refresh token. */
  signIn(): string {
    this.ended = false;
    this.rotations = 0;
    return this.#current = `secret-${crypto.randomUUID()}`;
  }

  /** From now on requests arrive and are not answered; resolves when one has come. */
  stall(): Promise<void> {
    return new Promise((resolve) => this.#stalled = resolve);
  }

  /** Answers again. */
  resume(): void {
    this.#stalled = null;
  }

  /** Ends it. */
  async stop(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }

  #rotate(token: string): string | null {
    if (this.ended || token !== this.#current) {
      this.ended = true;
      return null;
    }
    this.rotations++;
    return this.#current = `secret-${crypto.randomUUID()}`;
  }
}
