import { assert, assertEquals } from "@std/assert";
import { test } from "node:test";
import { checkServers } from "../../../../adapters/cli/doctor/servers.ts";
import { readServers } from "../../../../core/configuration/servers.ts";
import { keyringError } from "../../../../adapters/keyring/native.ts";
import { noSignal } from "../../http/answers.ts";
import { runtimeOf } from "../cli_process.ts";

const ORDINARY = { files: { command: "sh" }, off: { command: "sh", enabled: false }, bad: { command: 7 } };
const ENTERPRISE = {
  features: { use_xaa: true },
  mcp_enterprise_managed_auth: {
    idps: {
      one: { issuer: "https://one.invalid", client_id: "c" },
      two: { issuer: "https://two.invalid", client_id: "c", client_secret: { env: "TWO_SECRET" } },
    },
  },
};
const SERVERS = {
  a: { url: "https://a.invalid/mcp", auth: "ema_auth", idp: "one", oauth: { client_id: "c" } },
  b: {
    url: "https://b.invalid/mcp",
    auth: "ema_auth",
    idp: "two",
    enabled: false,
    oauth: { client_id: "c" },
  },
};

/** What is looked at, in order, on a machine without a network or a keyring. */
async function look(values: Readonly<Record<string, unknown>>, names: readonly string[] | null = null) {
  const layers = [{ kind: "user", source: "/c.toml", values, codexFile: true }] as const;
  const loaded = { kind: "loaded", configuration: readServers(layers), layers, remarks: [] } as const;
  let opened = 0;
  const runtime = runtimeOf({
    environment: { PATH: "/usr/bin:/bin", TWO_SECRET: "hush-hush" },
    openSecrets: () => Promise.reject(keyringError("Secret Service", ++opened > 0 ? "no-service" : "silent")),
  });
  const findings = await checkServers(runtime, loaded, { directory: "/", names, signal: noSignal() });
  assert(!JSON.stringify(findings).includes("hush-hush"));
  const told = findings.map(({ id, subject, status }) =>
    `${id}${subject === undefined ? "" : ` ${subject}`} ${status}`
  );
  return { told, opened };
}

test("without enterprise servers nothing is said of keyring, providers and clocks", async () => {
  const { told, opened } = await look({ mcp_servers: ORDINARY });
  assertEquals(told, ["configuration ok", "server files ok", "server off skipped", "server bad failed"]);
  assertEquals(opened, 0);
  assertEquals((await look({})).told, []);
});

test("with them: keyring, providers, then each server", { timeout: 60_000 }, async () => {
  const { told } = await look({ ...ENTERPRISE, mcp_servers: { ...SERVERS, ...ORDINARY } });
  assertEquals(told, [
    "configuration ok",
    "keyring failed",
    "idp one failed",
    "client-secret two ok",
    "idp two failed",
    "server a failed",
    "resource a failed",
    "authorization-server a skipped",
    "server b skipped",
    "server files ok",
    "server off skipped",
    "server bad failed",
  ]);
});

test("of named servers, what they depend on alone", { timeout: 60_000 }, async () => {
  const values = { ...ENTERPRISE, mcp_servers: { ...SERVERS, ...ORDINARY } };
  assertEquals((await look(values, ["files", "bad"])).told, ["server files ok", "server bad failed"]);
  const idps = { one: { issuer: "http://one.invalid", client_id: "c" } };
  const refused = { ...values, mcp_enterprise_managed_auth: { idps } };
  assertEquals((await look(refused, ["a"])).told, ["configuration failed", "server a failed"]);
  assertEquals((await look(values, ["a"])).told, [
    "keyring failed",
    "idp one failed",
    "server a failed",
    "resource a failed",
    "authorization-server a skipped",
  ]);
});
