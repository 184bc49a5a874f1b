import { assert, assertEquals, assertRejects } from "@std/assert";
import { test } from "node:test";
import { createEdgeRuntime } from "../../../../adapters/http/transport/sending.ts";
import { MemoryGrantSource } from "../../../../adapters/http/grants/memory_grant_source.ts";
import { type RuntimeParts, withDefaults } from "../../../../adapters/mcp/host/default_options.ts";
import { RUNTIMES } from "../../../contracts/runtimes.ts";

function parts(openSecrets: RuntimeParts["openSecrets"]): RuntimeParts {
  const { processes, files } = RUNTIMES[0]!;
  return {
    processes,
    files,
    runtime: createEdgeRuntime(),
    platform: "linux",
    environment: { HOME: "/home/me" },
    directory: "/w",
    openSecrets,
  };
}

test("what is left out is filled in, what is given stays, and the keyring is opened once, when it is needed", async () => {
  let opened = 0;
  const source = new MemoryGrantSource();
  const given = parts(() => {
    opened += 1;
    return { grants: () => source, secret: () => Promise.resolve("s") };
  });
  const options = withDefaults({ directory: "/other", watch: true }, given);
  assertEquals([options.directory, options.watch, options.environment, opened], ["/other", true, {
    HOME: "/home/me",
  }, 0]);
  assert(options.catalog !== undefined && typeof options.configuration.load === "function");
  assertEquals(await options.secrets.secret("n", new AbortController().signal), "s");
  assertEquals(await options.secrets.grants({} as never), source);
  assertEquals(opened, 1);
});

test("a keyring that cannot be opened is met by who needs it, and without a home no catalog is kept in files", async () => {
  const given = parts(() => {
    throw new Error("no home");
  });
  const options = withDefaults({ environment: {} }, given);
  assertEquals(options.catalog, undefined);
  await assertRejects(() => options.secrets.secret("n", new AbortController().signal), Error, "no home");
});
