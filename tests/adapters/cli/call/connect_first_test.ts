import { assertEquals, assertRejects } from "@std/assert";
import { test } from "node:test";
import { connectFirst } from "../../../../adapters/cli/call/connect_first.ts";
import type { ServerReport } from "../../../../adapters/mcp/host/servers/server_report.ts";
import { HostError } from "../../../../core/errors.ts";

const { signal } = new AbortController();

/** A host whose only server comes to this. */
function hostOf(report: Partial<ServerReport>) {
  return { connect: () => Promise.resolve([report as ServerReport]) };
}

/** A host whose server is never ready. */
const SLOW = {
  connect: (_?: readonly string[], options: { readonly signal?: AbortSignal } = {}) =>
    new Promise<readonly ServerReport[]>((resolve) => {
      const end = () => resolve([{ state: "connecting", reason: null } as ServerReport]);
      if (options.signal?.aborted) end();
      else options.signal?.addEventListener("abort", end);
    }),
};

async function failureOf(host: Parameters<typeof connectFirst>[0], changes: object = {}) {
  const work = () => connectFirst(host, { server: "s", tool: "t", signal, ...changes });
  const { code, message, server } = await assertRejects(work, HostError);
  return [code, message, server];
}

test("a server that is connected to says whether it asks for the state", async () => {
  const use = { server: "s", tool: "t", signal };
  const accepts = (acceptsSandbox: boolean | null) =>
    connectFirst(hostOf({ state: "ready", acceptsSandbox }), use);
  assertEquals([await accepts(true), await accepts(false), await accepts(null)], [true, false, false]);
});

test("a failure is the one that the host tells", async () => {
  const reason = (code: string) => ({ state: "failed" as const, reason: { code, message: "why" } });
  assertEquals(await failureOf(hostOf(reason("SERVER_DISABLED"))), ["SERVER_DISABLED", "why", "s"]);
  assertEquals(await failureOf(hostOf(reason("unheard of"))), ["SERVER_UNAVAILABLE", "why", "s"]);
});

test("the time of the call counts, and its caller may give up", async () => {
  assertEquals(await failureOf(SLOW, { timeoutMs: 10 }), [
    "CALL_TIMEOUT",
    'Cannot call "t" at "s": connecting took longer than 0.01 s. Look at what does not answer: codex-mcp doctor s',
    "s",
  ]);
  const [code] = await failureOf(SLOW, { timeoutMs: 60_000, signal: AbortSignal.abort() });
  assertEquals(code, "CALL_CANCELLED");
});
