import { assert, assertEquals, assertRejects } from "@std/assert";
import { test } from "node:test";
import {
  createEdgeRuntime,
  requireSafeSending,
  type SendingRuntime,
} from "../../../../adapters/http/transport/sending.ts";
import { EnterpriseError } from "../../../../core/enterprise/error.ts";

const PROXY = { variable: "http_proxy", exceptions: "no_proxy", entry: "::1" } as const;

const { signal } = new AbortController();

function runtimeOf(changes: Partial<SendingRuntime>): SendingRuntime {
  return { ...createEdgeRuntime(), ...changes };
}

async function refusal(url: string, runtime: SendingRuntime | undefined): Promise<EnterpriseError> {
  const error = await assertRejects(() => requireSafeSending(url, { runtime, signal }), EnterpriseError);
  assertEquals(error.code, "CONFIGURATION_REFUSED");
  assert(!error.message.includes("s3cret"));
  return error;
}

test("a proxy is in the way of plain http alone", async () => {
  const asked: string[] = [];
  const runtime = runtimeOf({ loopbackProxy: (hostname) => asked.push(hostname) > 0 ? PROXY : null });
  await requireSafeSending("https://localhost:8443/x", { runtime, signal });
  assertEquals(asked, []);
  const { reason, field, message } = await refusal("http://[::1]:8080/x?s3cret", runtime);
  assertEquals([asked, reason, field], [["[::1]"], "loopback-through-proxy", "http_proxy"]);
  assertEquals(
    message,
    'Cannot send anything to "http://[::1]:8080/x": http_proxy would take plain http for this machine to a proxy. ' +
      "Add ::1 to no_proxy",
  );
});

test("switched-off certificate checks are refused for every URL of the host, with what switches them off", async () => {
  const off = (hostname: string) => Promise.resolve(hostname === "idp.example" ? "--flag" : null);
  const runtime = runtimeOf({ certificateSwitch: off });
  await requireSafeSending("https://other.example/", { runtime, signal });
  const { reason, field, message } = await refusal("https://idp.example/?s3cret", runtime);
  assertEquals([reason, field], ["certificate-checks-off", "--flag"]);
  assertEquals(message, "Cannot send anything: --flag switches certificate checks off. Take it away");
  const local = runtimeOf({ certificateSwitch: () => Promise.resolve("V"), loopbackProxy: () => null });
  assertEquals((await refusal("http://127.0.0.1/", local)).reason, "certificate-checks-off");
});

test("a runtime that nobody names is refused, and one that is named as the edge is taken at its word", async () => {
  assertEquals((await refusal("https://idp.example/", undefined)).reason, "runtime-unknown");
  for (const url of ["https://idp.example/", "http://127.0.0.1/"]) {
    await requireSafeSending(url, { runtime: createEdgeRuntime(), signal });
  }
});

test("nobody waits for a runtime that does not answer longer than for the request", async () => {
  const runtime = runtimeOf({ certificateSwitch: () => new Promise(() => {}) });
  const controller = new AbortController();
  const { signal } = controller;
  const waiting = requireSafeSending("https://idp.example/", { runtime, signal });
  controller.abort(new Error("over"));
  await assertRejects(() => waiting, Error, "over");
});
