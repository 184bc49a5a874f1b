import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";
import { assertEquals, assertNotEquals } from "@std/assert";
import {
  fingerprintOf,
  MAX_CONFIGURATION_BYTES,
  readConfigurationText,
  reasonState,
  systemCode,
} from "../../../adapters/configuration/read_text.ts";
import { DISKS } from "./disks.ts";
import { put, withFolder } from "./folder.ts";

test("readConfigurationText: each outcome", async () => {
  await withFolder(async (folder) => {
    const at = (name: string): string => join(folder, name);
    await put(at("text"), "\ufeffä");
    await put(at("utf16"), new Uint8Array([0xff, 0xfe, 0x61, 0x00]));
    await put(at("large"), "x".repeat(MAX_CONFIGURATION_BYTES + 1));
    await mkdir(at("folder"));
    for (const disk of DISKS.values()) {
      const read = (name: string) => readConfigurationText(at(name), disk);
      assertEquals(await read("text"), { kind: "text", text: "\ufeffä" });
      assertEquals(await read("utf16"), { kind: "no-text" });
      assertEquals(await read("none"), { kind: "missing" });
      assertEquals(await read("text/none"), { kind: "missing" });
      assertEquals(await read("folder"), { kind: "failed", reason: "NO_FILE" });
      assertEquals(await read("large"), { kind: "failed", reason: "TOO_LARGE" });
    }
  });
});

test("fingerprintOf: equal for equal contents, and nothing of them", async () => {
  const one = await fingerprintOf({ kind: "text", text: "secret-7" });
  assertEquals([one, one.includes("secret")], [
    await fingerprintOf({ kind: "text", text: "secret-7" }),
    false,
  ]);
  const others = [
    await fingerprintOf({ kind: "text", text: "missing" }),
    await fingerprintOf({ kind: "missing" }),
    await fingerprintOf({ kind: "no-text" }),
    await fingerprintOf({ kind: "failed", reason: "EACCES" }),
  ];
  assertEquals(new Set([one, ...others]).size, 5);
  assertNotEquals(one, "");
});

test("systemCode, reasonState: what the system says, and nothing else", () => {
  assertEquals(systemCode(Object.assign(new Error("x"), { code: "EACCES" })), "EACCES");
  assertEquals(systemCode(Object.assign(new Error("x"), { name: "NotCapable" })), "NOT_CAPABLE");
  assertEquals(reasonState("NOT_CAPABLE").includes("--allow-sys=uid"), true);
  for (const error of [new Error("secret-7"), Object.assign(new Error(), { code: "secret-7" }), "x", null]) {
    assertEquals(systemCode(error), "UNKNOWN");
  }
  assertEquals(["ENOENT", "NO_FILE", "TOO_LARGE", "TIMEOUT", "SOURCE_FAILED", "EACCES"].map(reasonState), [
    "there is no such file",
    "it is no file",
    "it has more than 1048576 bytes",
    "it did not come in time",
    "its source failed",
    "the system says EACCES",
  ]);
});
