/**
 * A program that `servers_test.ts` bundles and runs on Node: the host of that runtime over the configuration that
 * its argument names.
 *
 * @module
 */

import process from "node:process";
import { createMemoryCatalogStore } from "../../../adapters/catalog/memory_store.ts";
import { fileConfiguration } from "../../../adapters/configuration/file_configuration.ts";
import { createHost } from "../../../adapters/node/host.ts";

const host = await createHost({
  configuration: fileConfiguration(process.argv[2] ?? "", { directory: "/", home: "/nowhere/.codex" }),
  catalog: createMemoryCatalogStore(),
});
const reports = await host.connect(["everything", "filesystem", "memory"]);
const thread = host.openThread();
const echo = await thread.callTool("everything", "echo", { message: "from Node" });
const { structuredContent } = await thread.callTool("memory", "read_graph");
await host.close();
const [block] = echo.content;
console.log(JSON.stringify({
  states: reports.map(({ state }) => state),
  echo: block?.type === "text" ? block.text : null,
  graph: structuredContent,
}));
