/**
 * Asks for a secret on the terminal without showing it, with the rules of `@std/cli/prompt-secret`.
 *
 * @module
 */

/** How the input is shown. */
export type PromptSecretOptions = {
  /** Printed once for each byte that is typed, `*` by default; empty prints nothing. */
  mask?: string;
  /** Clears the line afterwards instead of ending it. */
  clear?: boolean;
};

const CLEAR_LINE = "\r\u001b[K";

/** Shows `message` on standard output and reads one line; `null` when standard input is no terminal. */
export function promptSecret(message: string = "Secret", options?: PromptSecretOptions): string | null {
  if (!Deno.stdin.isTerminal()) return null;
  const { mask = "*", clear = false } = options ?? {};
  print(`${message} `);
  Deno.stdin.setRaw(true, Deno.build.os === "windows" ? undefined : { cbreak: true });
  try {
    return readHidden((length) => {
      if (mask) print(`${CLEAR_LINE}${message} ${mask.repeat(length)}`);
    });
  } finally {
    print(clear ? CLEAR_LINE : "\n");
    Deno.stdin.setRaw(false);
  }
}

function print(text: string): void {
  Deno.stdout.writeSync(new TextEncoder().encode(text));
}

function readHidden(typed: (length: number) => void): string {
  const bytes: number[] = [];
  const one = new Uint8Array(1);
  for (;;) {
    const read = Deno.stdin.readSync(one);
    const byte = one[0];
    if (!read || byte === undefined || byte === 0x0a || byte === 0x0d) break;
    if (byte === 0x08 || byte === 0x7f) bytes.pop();
    else bytes.push(byte);
    typed(bytes.length);
  }
  return new TextDecoder().decode(new Uint8Array(bytes));
}
