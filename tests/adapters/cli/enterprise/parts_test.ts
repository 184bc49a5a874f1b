import { assert, assertEquals, assertRejects } from "@std/assert";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";
import { parse } from "smol-toml";
import { openEnterprise } from "../../../../adapters/cli/enterprise/parts.ts";
import { readFlags } from "../../../../adapters/cli/program/flags.ts";
import { createMemoryKeyring } from "../../../../adapters/keyring/memory.ts";
import { openSecrets } from "../../../../adapters/deno/keyring.ts";
import { EnterpriseError } from "../../../../core/enterprise/error.ts";
import type { Platform } from "../../../../core/sandbox/path.ts";
import { runtimeOf, withFolders } from "../cli_process.ts";
import { POLICY } from "./policy.ts";

const { signal } = new AbortController();
const flags = (...args: string[]) => readFlags(args, { values: ["config"], switches: ["json"] });

test("the configuration is read, and the keyring is opened only when it is asked for", async () => {
  await withFolders(["home", "state"], async (home = "", folder = "") => {
    const path = join(home, "config.toml");
    await writeFile(path, POLICY, { mode: 0o600 });
    let opened = 0;
    const keyring = createMemoryKeyring();
    await keyring.write({ service: "codex-mcp-secret", account: "idp" }, {
      secret: "from-the-keyring",
      signal: new AbortController().signal,
    });
    const runtime = runtimeOf({
      environment: { HOME: home, IDP_SECRET: "from-the-environment" },
      openSecrets: () => Promise.resolve(++opened).then(() => openSecrets({ keyring, folder })),
    });
    const parts = await openEnterprise(runtime, flags("--json", "--config", path));
    assertEquals(parts.configuration.servers.map(({ name }) => name), ["tracker"]);
    assertEquals(opened, 0);
    assertEquals(
      await parts.readSecret({ kind: "environment", name: "IDP_SECRET" }, signal),
      "from-the-environment",
    );
    assertEquals([await parts.readSecret({ kind: "keyring", name: "idp" }, signal), opened], [
      "from-the-keyring",
      1,
    ]);
    const [provider] = parts.configuration.providers;
    assert(provider !== undefined);
    assertEquals(await (await parts.grants(provider)).marker(new AbortController().signal), null);
  });
});

test("a named file may be JSON, and one of host policy that is broken ends the command", async () => {
  await withFolders(["home"], async (home = "") => {
    const runtime = runtimeOf({ environment: { HOME: home } });
    const path = join(home, "mcp.json");
    const open = async (text: string) => {
      await writeFile(path, text, { mode: 0o600 });
      return await openEnterprise(runtime, flags("--json", "--config", path));
    };
    const { configuration } = await open(JSON.stringify(parse(POLICY)));
    assertEquals(configuration.servers.map(({ name }) => name), ["tracker"]);
    const { code, reason } = await assertRejects(() => open("hush = "), EnterpriseError);
    assertEquals([code, reason], ["CONFIGURATION_REFUSED", "FILE_MALFORMED"]);
    const none = openEnterprise(runtime, flags("--json", "--config", join(home, "none.toml")));
    assertEquals((await assertRejects(() => none, EnterpriseError)).code, "CONFIGURATION_UNAVAILABLE");
  });
});

test("nothing is sent while certificate checks are switched off, or past this machine to a proxy", async () => {
  await withFolders(["home"], async (home = "") => {
    const reasonOf = async (
      url: string,
      { platform = "linux", ...variables }: { readonly platform?: Platform; readonly [name: string]: string },
    ): Promise<string | undefined> => {
      const runtime = runtimeOf({ platform, environment: { HOME: home, ...variables } });
      const { http } = await openEnterprise(runtime, flags("--json"));
      const options = { signal: new AbortController().signal, maxBytes: 1 };
      const sent = http.send({ method: "GET", url, headers: [] }, options);
      return (await assertRejects(() => sent, EnterpriseError)).reason;
    };
    const off = { NODE_TLS_REJECT_UNAUTHORIZED: "0" };
    assertEquals(await reasonOf("https://idp.invalid/", off), "certificate-checks-off");
    const here = "http://127.0.0.1:1/";
    assertEquals(await reasonOf(here, { http_proxy: "http://127.0.0.1:2" }), "loopback-through-proxy");
    assertEquals(
      await reasonOf(here, { http_proxy: "http://127.0.0.1:2", no_proxy: "127.0.0.1" }),
      "network",
    );
    // there a variable has its name in any case
    const windows = { platform: "windows", Http_Proxy: "http://127.0.0.1:2" } as const;
    assertEquals(await reasonOf(here, windows), "loopback-through-proxy");
    assertEquals(await reasonOf(here, { ...windows, platform: "linux" }), "network");
  });
});
