/**
 * Writes the reference of everything that the package exports into `dist/api`, as pages to be opened in a browser.
 *
 * @module
 */

import { runDeno } from "../command.ts";
import { readConfig } from "../gates/tree.ts";

const FOLDER = "dist/api";

/** Arguments of `deno doc` for a package of this name with these exports. */
export function referenceArgs(
  { name = "", exports }: Pick<ReturnType<typeof readConfig>, "name" | "exports">,
): string[] {
  return ["doc", "--html", `--name=${name}`, `--output=${FOLDER}`, ...new Set(Object.values(exports))];
}

if (import.meta.main) {
  const root = new URL("../..", import.meta.url).pathname.replace(/\/$/, "");
  await Deno.mkdir(`${root}/dist`, { recursive: true });
  const { code, output } = await runDeno(referenceArgs(readConfig(root)), { directory: root });
  console.log(code === 0 ? `open ${FOLDER}/index.html` : output.trim());
  Deno.exitCode = code;
}
