#!/usr/bin/env node
/**
 * The program `codex-mcp` of the npm package. It runs when it is imported: `node_main.ts` is what can be imported.
 *
 * @module
 */

import process from "node:process";
import { main } from "./node_main.ts";

process.exit(await main(process.argv.slice(2)));
