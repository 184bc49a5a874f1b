/**
 * A program that watches a file, changes it and comes to its end, without ending the watching.
 *
 * @module
 */

import { writeFile } from "node:fs/promises";
import process from "node:process";
import { watchFiles } from "../../../adapters/configuration/watch_files.ts";
import { until } from "./folder.ts";

const path = process.argv[2] ?? "";
let changes = 0;
const seen = new Map<string, string>();
watchFiles(() => [path], { seen, onChange: () => void changes++, settleMs: 30 });
await until(() => seen.has(path));
await writeFile(path, "b");
await until(() => changes === 1);
console.log("the end");
