/**
 * How Deno sends: certificate checks that are off are seen as they are, in processes that were started with the flag.
 *
 * @module
 */

import { assert, assertEquals, assertRejects, assertThrows } from "@std/assert";
import { test } from "node:test";
import { createSendingRuntime } from "../../../adapters/deno/sending.ts";
import { EnterpriseError } from "../../../core/enterprise/error.ts";

const limit = { timeout: 60_000 };
const FLAG = "--unsafely-ignore-certificate-errors";
const HOSTS = ["idp.example", "mcp.example", "127.0.0.1", "[::1]"];
const SENDING = new URL("../../../adapters/deno/sending.ts", import.meta.url).href;

/** What a process that is started with `flags` says about each host. */
async function ask(flags: readonly string[], code: string): Promise<unknown> {
  const program = `import { createSendingRuntime } from ${JSON.stringify(SENDING)};\n${code}`;
  const file = await Deno.makeTempFile({ suffix: ".ts" });
  try {
    await Deno.writeTextFile(file, program);
    const { stdout, stderr } = await new Deno.Command(Deno.execPath(), {
      args: ["run", "--quiet", "--no-prompt", "--no-check", "--no-config", ...flags, file],
    }).output();
    const text = new TextDecoder().decode(stdout);
    return text === "" ? new TextDecoder().decode(stderr) : JSON.parse(text);
  } finally {
    await Deno.remove(file);
  }
}

const SWITCHES = `const runtime = createSendingRuntime();
const seen = [];
for (const host of ${JSON.stringify(HOSTS)}) seen.push(await runtime.certificateSwitch(host));
console.log(JSON.stringify(seen));`;

test("certificate checks are on here, for every host and for many at once", limit, async () => {
  const runtime = createSendingRuntime({ environment: () => undefined });
  assertEquals(await Promise.all([...HOSTS, ...HOSTS].map((host) => runtime.certificateSwitch(host))), [
    ...[...HOSTS, ...HOSTS].map(() => null),
  ]);
});

test("the flag is seen, for the hosts that it is about", limit, async () => {
  const net = "--allow-net=127.0.0.1";
  assertEquals(await ask([net, FLAG], SWITCHES), HOSTS.map(() => FLAG));
  assertEquals(await ask([net, `${FLAG}=idp.example,::1`], SWITCHES), [FLAG, null, null, FLAG]);
  assertEquals(await ask([net], SWITCHES), HOSTS.map(() => null));
});

test("the variable counts too, whenever it is set", limit, async () => {
  const variables = new Map<string, string>();
  const runtime = createSendingRuntime({ environment: (name) => variables.get(name) });
  const asked = () => runtime.certificateSwitch("idp.example");
  assertEquals(await asked(), null);
  variables.set("NODE_TLS_REJECT_UNAUTHORIZED", "0");
  assertEquals(await asked(), "NODE_TLS_REJECT_UNAUTHORIZED");
  variables.set("NODE_TLS_REJECT_UNAUTHORIZED", "1");
  assertEquals(await asked(), null);
});

test("without the permission to look nothing is taken for granted, and nobody is asked", limit, async () => {
  const refused = (question: string) =>
    `const runtime = createSendingRuntime();
try { console.log(JSON.stringify([await ${question}])); }
catch (error) { console.log(JSON.stringify([error.code, error.reason, error.message])); }`;
  assertEquals(await ask([], refused('runtime.certificateSwitch("idp.example")')), [
    "CONFIGURATION_REFUSED",
    "permission-missing",
    "Cannot send anything: whether certificates are checked cannot be seen without --allow-net=127.0.0.1. Grant it",
  ]);
  assertEquals(await ask([], refused('runtime.loopbackProxy("127.0.0.1")')), [
    "CONFIGURATION_REFUSED",
    "permission-missing",
    "Cannot send anything: whether a proxy is in the way cannot be seen without --allow-env=HTTP_PROXY. Grant it",
  ]);
  const env = "--allow-env=HTTP_PROXY,http_proxy,ALL_PROXY,all_proxy,NO_PROXY,no_proxy";
  const found = await ask([env], refused('runtime.loopbackProxy("127.0.0.1")'));
  assert(Array.isArray(found) && found.length === 1, JSON.stringify(found));
});

test("a proxy is found by Deno's rules", () => {
  const variables: Record<string, string> = { ALL_PROXY: "http://proxy.example", NO_PROXY: "*" };
  const runtime = createSendingRuntime({ environment: (name) => variables[name] });
  assertEquals(runtime.loopbackProxy("127.0.0.1")?.variable, "ALL_PROXY");
  assertEquals(runtime.loopbackProxy("localhost"), null);
});

test(
  "another program that comes to the trial first, and says nothing, does not keep it from its end",
  limit,
  async () => {
    const real = Deno.listenTls;
    const held: Promise<Deno.Conn>[] = [];
    Reflect.set(Deno, "listenTls", (options: Parameters<typeof real>[0]) => {
      const listener = real(options);
      const { port } = listener.addr;
      for (let count = 0; count < 3; count += 1) held.push(Deno.connect({ hostname: "127.0.0.1", port }));
      return listener;
    });
    try {
      assertEquals(
        await createSendingRuntime({ environment: () => undefined }).certificateSwitch("a.example"),
        null,
      );
      assertEquals(held.length, 3);
    } finally {
      Reflect.set(Deno, "listenTls", real);
      for (const connection of await Promise.all(held)) connection.close();
    }
  },
);

test("a question that failed is asked again", async () => {
  let fails = true;
  const runtime = createSendingRuntime({
    environment: (name) => {
      if (fails) throw new EnterpriseError("CONFIGURATION_REFUSED", `Cannot read ${name}: not now`);
      return undefined;
    },
  });
  await assertRejects(() => runtime.certificateSwitch("idp.example"), EnterpriseError);
  assertThrows(() => runtime.loopbackProxy("127.0.0.1"), EnterpriseError);
  fails = false;
  assertEquals(await runtime.certificateSwitch("idp.example"), null);
});
