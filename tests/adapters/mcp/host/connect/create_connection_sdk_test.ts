import { assert, assertEquals } from "@std/assert";
import process from "node:process";
import { test } from "node:test";
import { withConnection } from "./bench.ts";
import { ownEntry, type OwnServer, serveWhenAsked } from "./own_server.ts";

if (!await serveWhenAsked()) {
  const limit = { timeout: 120_000 };
  const { PATH = "/usr/bin:/bin", HOME = "/tmp" } = process.env;
  const environment = {
    ...{ PATH, HOME },
    ...{
      PASSED: "passed",
      SECRET_TOKEN: "secret",
      NODE_OPTIONS: "--no-such-option",
      LD_DEBUG_OUTPUT: "/tmp/x",
    },
  };

  for (
    const [which, era, protocol] of [
      ["v1", "legacy", "2025-11-25"],
      ["v2", "modern", "2026-07-28"],
    ] as const
  ) {
    test(`SDK ${which} over stdio: era, environment, changed tools`, limit, async () => {
      const entry = { env: { GIVEN: "given" }, envVars: ["PASSED", "NOT_SET"] };
      await withConnection(ownEntry(import.meta.url, { which, entry }), {
        options: { environment },
        work: async ({ connection }) => {
          const changed = new Promise<void>((resolve) => connection.onCatalogChanged(resolve));
          const open = await connection.open();
          assertEquals([open.era, open.protocol], [era, protocol]);
          const variables = JSON.parse(textOf(await open.client.callTool({ name: "environment" })));
          assertEquals([variables.PASSED, variables.GIVEN, variables.HOME], ["passed", "given", HOME]);
          for (const name of ["SECRET_TOKEN", "NODE_OPTIONS", "LD_DEBUG_OUTPUT", "NOT_SET"]) {
            assertEquals(variables[name], undefined, name);
          }
          await repeat(() => open.client.callTool({ name: "change" }), changed);
        },
      });
    });
  }

  test("an SDK v2 server that is slow to start is waited for, in its first process", limit, async () => {
    const which: OwnServer = "v2-slow";
    await withConnection(ownEntry(import.meta.url, { which, entry: { startupTimeoutMs: 60_000 } }), {
      options: { environment },
      work: async ({ connection }) => assertEquals((await connection.open()).era, "modern"),
    });
  });

  test("pinned revisions are spoken exactly, or not at all", limit, async () => {
    const pinned = { entry: { protocol: "2026-07-28" } } as const;
    await withConnection(ownEntry(import.meta.url, { which: "v2", ...pinned }), {
      options: { environment },
      work: async ({ connection }) => assertEquals((await connection.open()).protocol, "2026-07-28"),
    });
    await withConnection(ownEntry(import.meta.url, { which: "v2", entry: { protocol: "legacy" } }), {
      options: { environment },
      work: async ({ connection }) => assertEquals((await connection.open()).era, "legacy"),
    });
    await withConnection(ownEntry(import.meta.url, { which: "v1", ...pinned }), {
      options: { environment },
      work: async ({ connection }) => {
        await connection.open().then(() => assert(false), () => undefined);
        const state = connection.state();
        assert("reason" in state && state.reason.reason === "protocol", JSON.stringify(state));
      },
    });
  });
}

function textOf(result: unknown): string {
  return (result as { readonly content: readonly { readonly text: string }[] }).content[0]?.text ?? "";
}

/** Does `work` until `done`: a subscription may not be in place the first time. */
async function repeat(work: () => Promise<unknown>, done: Promise<void>): Promise<void> {
  let over = false;
  void done.then(() => over = true);
  while (!over) {
    await work();
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}
