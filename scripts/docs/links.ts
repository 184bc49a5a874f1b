/**
 * Whether what a document links to is there: files of the repository, and the headings in documents. Links to other
 * places are not followed.
 *
 * @module
 */

import { dirname, join } from "node:path/posix";
import { exists, readText } from "../gates/tree.ts";
import { readDocument } from "./document.ts";

/** What is wrong with a link to `target` in the document at `path`, to follow the target; `null`: nothing. */
export function linkFlaw(
  root: string,
  { path, target }: { readonly path: string; readonly target: string },
): string | null {
  if (/^[a-z][a-z+.-]*:/i.test(target)) return null;
  // npm and JSR lead relative links of a README to the repository, and not every one of them those from its root
  if (target.startsWith("/")) return "begins with a slash, which is another place on every site";
  const [file = "", anchor] = target.split("#");
  const named = decodeURI(file);
  const place = named === "" ? path : join(dirname(path), named);
  if (place.startsWith("../")) return "leads out of the repository";
  if (!exists(root, place)) return "leads to nothing";
  if (anchor === undefined) return null;
  if (!place.endsWith(".md")) return "names a place in a file that is no document";
  return readDocument(readText(root, place)).anchors.has(anchor) ? null : "leads to no heading";
}
