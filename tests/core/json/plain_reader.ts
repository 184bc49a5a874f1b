/**
 * A second reader of JSON texts to hold the scanner against: recursive, slow and obvious, over texts that
 * `JSON.parse` accepted. It keeps every member and the text of every value.
 *
 * @module
 */

/** A value as it stands in a text. */
export interface PlainNode {
  /** Its source text. */
  readonly text: string;
  /** Members of an object in order, repeated names included; `null` when it is no object. */
  readonly members: readonly (readonly [string, PlainNode])[] | null;
  /** Numbers in it, as they are written. */
  readonly numbers: readonly string[];
  /** Whether an object in it names a key twice. */
  readonly repeats: boolean;
}

const TOKEN = /[ \t\r\n]*("(?:\\.|[^"\\])*"|[{}[\],:]|[^ \t\r\n{}[\],:"]+)/ys;

/** Reads a text that `JSON.parse` accepts. */
export function readPlainly(text: string): PlainNode {
  JSON.parse(text);
  const tokens: { readonly token: string; readonly start: number; readonly end: number }[] = [];
  for (let end = 0;;) {
    TOKEN.lastIndex = end;
    const token = TOKEN.exec(text)?.[1];
    if (token === undefined) break;
    end = TOKEN.lastIndex;
    tokens.push({ token, start: end - token.length, end });
  }
  let next = 0;
  const read = (): PlainNode => {
    const first = tokens[next++]!;
    const children: PlainNode[] = [];
    const members: [string, PlainNode][] = [];
    if (first.token === "[" || first.token === "{") {
      while (!/^[\]}]$/.test(tokens[next]!.token)) {
        if (tokens[next]!.token === ",") next++;
        if (first.token === "[") children.push(read());
        else {
          const key: string = JSON.parse(tokens[next]!.token);
          next += 2;
          members.push([key, read()]);
        }
      }
      next++;
    }
    const inner = [...children, ...members.map(([, node]) => node)];
    const keys = members.map(([key]) => key);
    return {
      text: text.slice(first.start, tokens[next - 1]!.end),
      members: first.token === "{" ? members : null,
      numbers: /^[-\d]/.test(first.token) ? [first.token] : inner.flatMap(({ numbers }) => numbers),
      repeats: new Set(keys).size < keys.length || inner.some(({ repeats }) => repeats),
    };
  };
  return read();
}

/** Text of the value at `path`, `undefined` when there is none; `"repeated"` when a name on it comes twice. */
export function textAt(
  node: PlainNode,
  path: readonly string[],
): { readonly text: string | undefined } | "repeated" {
  let here = node;
  for (const name of path) {
    const found: PlainNode[] = (here.members ?? []).filter(([key]) => key === name).map(([, value]) => value);
    if (found.length > 1) return "repeated";
    if (found[0] === undefined) return { text: undefined };
    here = found[0];
  }
  return { text: here.text };
}
