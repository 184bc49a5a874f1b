/**
 * Everything that `core/` may take from its surroundings besides the language itself.
 */

interface URL {
  href: string;
  readonly origin: string;
  protocol: string;
  username: string;
  password: string;
  host: string;
  hostname: string;
  port: string;
  pathname: string;
  search: string;
  hash: string;
  toString(): string;
}
declare const URL: {
  new (url: string, base?: string | URL): URL;
  canParse(url: string, base?: string | URL): boolean;
};

interface TextEncoder {
  encode(input?: string): Uint8Array<ArrayBuffer>;
}
declare const TextEncoder: { new (): TextEncoder };

/** As a type only: core passes a signal on, it makes none. */
interface AbortSignal {
  readonly aborted: boolean;
  throwIfAborted(): void;
}
