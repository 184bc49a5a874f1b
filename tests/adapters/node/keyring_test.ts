import { assert, assertEquals } from "@std/assert";
import { readFileSync } from "node:fs";
import process from "node:process";
import { test } from "node:test";
import { createKeyring, openSecrets } from "../../../adapters/node/mod.ts";
import { createMemoryKeyring } from "../../../adapters/keyring/memory.ts";
import { refused } from "../../contracts/refused.ts";
import { testSecrets } from "../../contracts/secrets.ts";

/** Whether this process has mapped the native module. */
function isLoaded(): boolean {
  return /keyring[^/]*\.node/.test(readFileSync("/proc/self/maps", "utf8"));
}

test("the import loads no native module, and a use where there is none to be had says so", async () => {
  assertEquals(isLoaded(), false);
  const before = process.env["DBUS_SESSION_BUS_ADDRESS"];
  process.env["DBUS_SESSION_BUS_ADDRESS"] = "unix:path=/nowhere/bus";
  try {
    const entry = { service: "codex-mcp-test", account: "none" };
    const error = await refused(() => createKeyring().read(entry, AbortSignal.timeout(30_000)));
    assertEquals(error.code, "KEYRING_ABSENT");
    assert("reason" in error && ["module", "no-service"].includes(String(error.reason)));
  } finally {
    if (before === undefined) delete process.env["DBUS_SESSION_BUS_ADDRESS"];
    else process.env["DBUS_SESSION_BUS_ADDRESS"] = before;
  }
});

testSecrets("Node", {
  createKeyring,
  openSecrets: (folder) => openSecrets({ keyring: createMemoryKeyring(), folder }),
});
