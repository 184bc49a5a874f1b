/**
 * A slow JSON reader that keeps numbers as fractions of two bigints. Two texts are the same JSON value exactly
 * when they read as the same string here. Recursive, for small texts; it knows nothing of the code under test.
 *
 * @module
 */

/** The text's value as a string, or `null` when an object in it names a key twice. Takes well-formed texts only. */
export function readExactly(text: string): string | null {
  let rest = text;
  let twice = false;
  const take = (pattern: RegExp): string | undefined => {
    const found = pattern.exec(rest)?.[0];
    if (found !== undefined) rest = rest.slice(found.length);
    return found;
  };
  const space = (): void => void take(/^[ \t\r\n]*/);
  const string = (): string => JSON.stringify(JSON.parse(take(/^"(?:[^"\\]|\\.)*"/s)!));
  const value = (): string => {
    space();
    const read = composite();
    space();
    return read;
  };
  const composite = (): string => {
    if (take(/^\{/)) {
      const members = new Map<string, string>();
      space();
      while (!take(/^\}/)) {
        space();
        const key = string();
        space();
        take(/^:/);
        twice ||= members.has(key);
        members.set(key, value());
        take(/^,/);
      }
      return `{${[...members].map(([key, member]) => `${key}:${member}`).sort().join()}}`;
    }
    if (take(/^\[/)) {
      const elements: string[] = [];
      space();
      while (!take(/^\]/)) {
        elements.push(value());
        take(/^,/);
      }
      return `[${elements.join()}]`;
    }
    if (rest.startsWith('"')) return string();
    return take(/^(?:null|true|false)/) ?? fraction(take(/^[-+.\deE]+/)!);
  };
  const read = value();
  if (rest !== "") throw new Error(`Cannot read ${JSON.stringify(text)}: ${JSON.stringify(rest)} is left`);
  return twice ? null : read;
}

function fraction(token: string): string {
  const [mantissa = "", exponent = "0"] = token.toLowerCase().split("e");
  const [whole = "", decimals = ""] = mantissa.split(".");
  let over = BigInt(whole.replace("-", "") + decimals);
  let under = 1n;
  const scale = Number(exponent) - decimals.length;
  if (scale >= 0) over *= 10n ** BigInt(scale);
  else under = 10n ** BigInt(-scale);
  const shared = divisor(over, under);
  return `${over !== 0n && mantissa.startsWith("-") ? "-" : ""}${over / shared}/${under / shared}`;
}

function divisor(a: bigint, b: bigint): bigint {
  while (b !== 0n) [a, b] = [b, a % b];
  return a;
}
