/**
 * What the members of a union of codes mean, in the words of their docstrings, which are the one place where it is
 * said.
 *
 * @module
 */

/** The members of the exported union `name` in a source text, with their docstrings, in their order. */
export function readMeanings(source: string, name: string): ReadonlyMap<string, string> {
  const body = new RegExp(`export type ${name} =([^;]*);`).exec(withoutInnerSemicolons(source))?.[1];
  if (body === undefined) throw new Error(`there is no union ${name}`);
  const members = [
    ...body.matchAll(/(?:\/\*\*\s*((?:(?!\*\/)[^])*?)\s*\*\/\s*)?\|\s*(?:\{\s*readonly kind: )?"([^"]+)"/g),
  ];
  const undocumented = members.find(([, doc]) => doc === undefined)?.[2];
  if (members.length === 0 || undocumented !== undefined) {
    throw new Error(`${name}: ${undocumented ?? "it"} has no docstring`);
  }
  return new Map(
    members.map((
      [, doc = "", member = ""],
    ) => [member, doc.replace(/\s*\n\s*\*?\s*/g, " ").replaceAll("\0", ";")]),
  );
}

/** Semicolons end a union; those in comments and braces do not. */
function withoutInnerSemicolons(source: string): string {
  return source.replace(/\/\*\*(?:(?!\*\/)[^])*\*\/|\{[^{}]*\}/g, (inner) => inner.replaceAll(";", "\0"));
}
