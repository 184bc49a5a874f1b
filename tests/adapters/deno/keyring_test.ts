import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { test } from "node:test";
import { createMemoryKeyring } from "../../../adapters/keyring/memory.ts";
import { createKeyring, openSecrets } from "../../../adapters/deno/mod.ts";
import { testSecrets } from "../../contracts/secrets.ts";

const ROOT = new URL("../../..", import.meta.url).pathname;

/** What a program prints that runs `code` with these flags. */
async function printed(code: string, flags: readonly string[]): Promise<string> {
  const folder = await mkdtemp(`${tmpdir()}/deno-keyring-`);
  try {
    await writeFile(`${folder}/main.ts`, code);
    const { stdout, stderr } = await new Deno.Command(Deno.execPath(), {
      args: ["run", "--no-prompt", "--config", `${ROOT}deno.json`, ...flags, `${folder}/main.ts`],
      env: { DBUS_SESSION_BUS_ADDRESS: "unix:path=/nowhere/bus", DENO_NO_UPDATE_CHECK: "1" },
    }).output();
    return new TextDecoder().decode(stdout) + new TextDecoder().decode(stderr);
  } finally {
    await rm(folder, { recursive: true });
  }
}

const USE = `
import { createKeyring } from "${ROOT}adapters/deno/mod.ts";
const mapped = () => /keyring[^/]*\\.node/.test(Deno.readTextFileSync("/proc/self/maps"));
const before = mapped();
const entry = { service: "codex-mcp-test", account: "none" };
const error = await createKeyring().read(entry, AbortSignal.timeout(30000)).catch((one) => one);
console.log(JSON.stringify([before, mapped(), error.code, error.reason]));
`;

test("the native module is loaded by the first use, not by the import", async () => {
  assertEquals(JSON.parse(await printed(USE, ["-A"])), [false, true, "KEYRING_ABSENT", "no-service"]);
});

test("without --allow-ffi its use is refused, and nobody is asked for it", async () => {
  const text = await printed(USE, ["--allow-read", "--allow-env", "--deny-ffi"]);
  // Deno lets only a program with every permission read /proc, so that part is left out.
  const code = USE.replace(/const mapped = .*/, "const mapped = () => null;");
  assertEquals(JSON.parse(await printed(code, ["--allow-read", "--allow-env"])), [
    null,
    null,
    "KEYRING_ABSENT",
    "permission",
  ]);
  assert(!text.includes("napi"));
});

test("the permissions that the documentation names are enough", async () => {
  const code = `
    import { createMemoryKeyring, openSecrets } from "${ROOT}adapters/deno/mod.ts";
    const folder = Deno.args[0] ?? "/tmp/codex-mcp-permissions";
    const { signal } = new AbortController();
    const keyring = await import("${ROOT}adapters/keyring/memory.ts");
    const secrets = openSecrets({ keyring: keyring.createMemoryKeyring(), folder });
    const store = await secrets.grants({ issuer: "i", client: { clientId: "c" } });
    console.log(await store.locked((grants) => grants.read("ab".repeat(32)), signal));
    const entry = { service: "codex-mcp-test", account: "none" };
    const { createKeyring } = await import("${ROOT}adapters/deno/mod.ts");
    console.log((await createKeyring().read(entry, signal).catch((one) => one)).reason);
  `;
  const folder = await mkdtemp(`${tmpdir()}/deno-permissions-`);
  const flags = [
    "--allow-ffi",
    "--allow-env",
    "--allow-read",
    "--allow-net",
    "--allow-sys",
    "--allow-run=ps",
  ];
  const text = await printed(code.replace("/tmp/codex-mcp-permissions", `${folder}/s`), [
    ...flags,
    "--allow-write",
  ]);
  await rm(folder, { recursive: true });
  assertStringIncludes(text, "null\nno-service");
});

testSecrets("Deno", {
  createKeyring,
  openSecrets: (folder) => openSecrets({ keyring: createMemoryKeyring(), folder }),
});
