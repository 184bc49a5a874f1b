/**
 * Brings the documents up to date: the files that scripts write, and the blocks that show a file. The gates
 * `generated` and `documents` say when that is due.
 *
 * @module
 */

import { readText } from "../gates/tree.ts";
import { fillDocuments } from "./fill.ts";
import { GENERATED, renderFile, REPOSITORY } from "./generated.ts";

if (import.meta.main) {
  for (const path of Object.keys(GENERATED)) {
    const text = await renderFile(path);
    if (readText(REPOSITORY, path) === text) continue;
    await Deno.writeTextFile(`${REPOSITORY}/${path}`, text);
    console.log(`wrote ${path}`);
  }
  for (const path of fillDocuments(REPOSITORY)) console.log(`filled ${path}`);
}
