/**
 * Puts the servers that the tests run into the README, so that what it shows is what works. With `--check` it changes
 * nothing and fails where the two differ.
 *
 * @module
 */

const ROOT = new URL("../", import.meta.url);

/** A comment that names a file, and the code block under it. */
const BLOCK = /<!-- (tests\/[\w/.]+) -->\n\n```ts ignore\n[^]*?```/g;

/** The README with the code of each named file in its block. */
export function fillReadme(readme: string, read: (path: string) => string): string {
  return readme.replace(BLOCK, (_block, path: string) => {
    const code = read(path).replace(/^\/\/.*\n/, "").trim();
    return `<!-- ${path} -->\n\n\`\`\`ts ignore\n${code}\n\`\`\``;
  });
}

if (import.meta.main) {
  const url = new URL("README.md", ROOT);
  const readme = Deno.readTextFileSync(url);
  const filled = fillReadme(readme, (path) => Deno.readTextFileSync(new URL(path, ROOT)));
  if (Deno.args.includes("--check")) Deno.exit(filled === readme ? 0 : 1);
  Deno.writeTextFileSync(url, filled);
}
