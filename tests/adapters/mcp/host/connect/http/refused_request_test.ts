import { assert, assertEquals, assertRejects } from "@std/assert";
import { test } from "node:test";
import { createEdgeRuntime, type SendingRuntime } from "../../../../../../adapters/http/transport/sending.ts";
import {
  redirected,
  RefusedRequestError,
  requireSafeRequest,
} from "../../../../../../adapters/mcp/host/connect/http/refused_request.ts";
import { EnterpriseError } from "../../../../../../core/enterprise/error.ts";
import { HostError } from "../../../../../../core/errors.ts";

const SAFE = createEdgeRuntime();
const NEVER = new AbortController().signal;

async function refusalOf(origin: string, runtime: SendingRuntime): Promise<RefusedRequestError> {
  const work = requireSafeRequest(origin, { server: "notes", runtime, signal: NEVER });
  return await assertRejects(() => work, RefusedRequestError);
}

test("a safe runtime refuses nothing", async () => {
  for (const origin of ["https://notes.test", "http://127.0.0.1:8080", "http://[::1]"]) {
    await requireSafeRequest(origin, { server: "notes", runtime: SAFE, signal: NEVER });
  }
});

test("switched-off certificate checks are refused by their name", async () => {
  const error = await refusalOf("https://notes.test", {
    ...SAFE,
    certificateSwitch: (hostname) => Promise.resolve(hostname === "notes.test" ? "THE_SWITCH" : null),
  });
  assertEquals([error.code, error.refusal.reason, error.server, error.cause], [
    "SERVER_DISABLED",
    "sending",
    "notes",
    undefined,
  ]);
  assertEquals(
    error.message,
    'Cannot use the server "notes": nothing is sent to it: THE_SWITCH switches certificate checks off. Take it away',
  );
});

test("a proxy for this machine is refused by its variable, and no url is told", async () => {
  const runtime: SendingRuntime = {
    ...SAFE,
    loopbackProxy: () => ({ variable: "HTTP_PROXY", exceptions: "NO_PROXY", entry: "127.0.0.1" }),
  };
  const error = await refusalOf("http://127.0.0.1:8080", runtime);
  assertEquals([error.code, error.refusal.reason], ["SERVER_DISABLED", "sending"]);
  assert(error.message.endsWith("Add 127.0.0.1 to NO_PROXY"), error.message);
  assert(error.message.includes("HTTP_PROXY") && !error.message.includes("8080"), error.message);
  await requireSafeRequest("https://127.0.0.1:8080", { server: "notes", runtime, signal: NEVER });
});

test("what cannot be found out this time is no fault of the configuration", async () => {
  const error = await refusalOf("https://notes.test", {
    ...SAFE,
    certificateSwitch: () =>
      Promise.reject(new EnterpriseError("TEMPORARILY_UNAVAILABLE", "Cannot see: it is busy")),
  });
  assertEquals([error.code, error.refusal.reason, error.refusal.state], [
    "SERVER_UNAVAILABLE",
    "network",
    "nothing is sent to it: it is busy",
  ]);
});

test("an abort stays one, and a defect of a runtime stays that", async () => {
  const reason = new Error("given up");
  const aborted = requireSafeRequest("https://notes.test", {
    server: "notes",
    runtime: { ...SAFE, certificateSwitch: () => new Promise(() => {}) },
    signal: AbortSignal.abort(reason),
  });
  assertEquals(await assertRejects(() => aborted), reason);
  const defect = new TypeError("broken");
  const broken = requireSafeRequest("https://notes.test", {
    server: "notes",
    runtime: { ...SAFE, certificateSwitch: () => Promise.reject(defect) },
    signal: NEVER,
  });
  assertEquals(await assertRejects(() => broken), defect);
});

test("a redirect says so, with its status", () => {
  const error = redirected("notes", 308);
  assert(error instanceof HostError);
  assertEquals([error.code, error.refusal.reason, error.refusal.status], [
    "SERVER_UNAVAILABLE",
    "redirect",
    308,
  ]);
  assert(
    error.message.startsWith('Cannot use the server "notes": it answered 308, a redirect'),
    error.message,
  );
});
