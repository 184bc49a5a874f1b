import { assertEquals } from "@std/assert";
import { test } from "node:test";
import { createSendingRuntime, type SendingOptions } from "../../../adapters/node/sending.ts";

const PROXY = { HTTP_PROXY: "http://proxy.example" };

function proxyWith(variables: Readonly<Record<string, string>>, options: SendingOptions = {}): string | null {
  const environment = (name: string): string | undefined => variables[name];
  const runtime = createSendingRuntime({ environment, runtimeArguments: [], ...options });
  return runtime.loopbackProxy("127.0.0.1")?.variable ?? null;
}

test("proxies are looked at only when Node does", () => {
  assertEquals(proxyWith(PROXY), null);
  assertEquals(proxyWith({ ...PROXY, NODE_USE_ENV_PROXY: "" }), null);
  assertEquals(proxyWith({ ...PROXY, NODE_OPTIONS: "--enable-source-maps" }), null);
  assertEquals(proxyWith({ ...PROXY, NODE_USE_ENV_PROXY: "1" }), "HTTP_PROXY");
  assertEquals(proxyWith({ ...PROXY, NODE_OPTIONS: "--enable-source-maps  --use-env-proxy" }), "HTTP_PROXY");
  assertEquals(proxyWith(PROXY, { runtimeArguments: ["--use-env-proxy"] }), "HTTP_PROXY");
  assertEquals(proxyWith({ ...PROXY, NODE_USE_ENV_PROXY: "1", NO_PROXY: "127.0.0.1" }), null);
  assertEquals(proxyWith({ NODE_USE_ENV_PROXY: "1" }), null);
});

test("certificate checks are switched off by the variable alone", async () => {
  const variables = new Map<string, string>();
  const runtime = createSendingRuntime({ environment: (name) => variables.get(name) });
  const asked = () => runtime.certificateSwitch("idp.example");
  assertEquals(await asked(), null);
  variables.set("NODE_TLS_REJECT_UNAUTHORIZED", "0");
  assertEquals(await asked(), "NODE_TLS_REJECT_UNAUTHORIZED");
});

test("without options it is this process that is looked at", async () => {
  const runtime = createSendingRuntime();
  assertEquals(await runtime.certificateSwitch("idp.example"), null);
  assertEquals(runtime.loopbackProxy("127.0.0.1"), null);
});
