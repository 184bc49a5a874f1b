import { assert, assertEquals } from "@std/assert";
import { chmod, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";
import { checkOrdinaryServer } from "../../../../adapters/cli/doctor/ordinary_server.ts";
import type { HttpEntry, StdioEntry } from "../../../../core/configuration/entry.ts";
import { readServers } from "../../../../core/configuration/servers.ts";
import { withFolders } from "../cli_process.ts";

/** Status and found of the only server. */
async function look(table: object, directory = "/", variables: Readonly<Record<string, string>> = {}) {
  const layer = {
    kind: "user",
    source: "/c.toml",
    values: { mcp_servers: { a: table } },
    codexFile: true,
  } as const;
  const [entry] = readServers([layer]).servers;
  const environment = { PATH: "/usr/bin:/bin", ...variables };
  const place = { environment, platform: "linux", directory } as const;
  const finding = await checkOrdinaryServer(entry as StdioEntry | HttpEntry, place);
  assertEquals([finding.id, finding.subject], ["server", "a"]);
  assertEquals([finding.status === "failed", finding.status === "failed"], [
    finding.code === "SERVER_DISABLED",
    finding.fix?.endsWith(", then run: codex-mcp doctor") ?? false,
  ]);
  assert(!JSON.stringify(finding).includes("s3cr3t"));
  return [finding.status, finding.found];
}

test("a program that is there, and one that is not, may not be executed, or has no directory", () =>
  withFolders(["bin"], async (bin = "") => {
    await writeFile(join(bin, "tool"), "#!/bin/sh\n");
    await chmod(join(bin, "tool"), 0o644);
    const path = join(bin, "tool");
    assertEquals(await look({ command: "./tool" }, bin), [
      "failed",
      'the program "./tool" may not be executed',
    ]);
    await chmod(path, 0o755);
    assertEquals(await look({ command: "./tool", args: ["s3cr3t"], env: { A: "s3cr3t" } }, bin), [
      "ok",
      `the program "./tool" is "${path}"`,
    ]);
    assertEquals(await look({ command: "tool", env_vars: ["B", "C"] }, bin, { PATH: bin, B: "s3cr3t" }), [
      "ok",
      `the program "tool" is "${path}"; not set: "C"`,
    ]);
    assertEquals(await look({ command: "tool" }), ["failed", 'the program "tool" is not on PATH']);
    assertEquals(await look({ command: bin }), ["failed", `the program "${bin}" does not exist`]);
    assertEquals(
      (await look({ command: "./tool", cwd: "missing" }, bin))[1],
      "its working directory does not exist",
    );
    assertEquals((await look({ command: "nothing", enabled: false }))[0], "skipped");
  }));

test("credentials that are set, missing, or cannot be sent", async () => {
  const url = "https://a.invalid/?key=s3cr3t";
  assertEquals((await look({ url }))[0], "ok");
  const bearer = { url, bearer_token_env_var: "TOKEN" };
  assertEquals(await look(bearer, "/", { TOKEN: "s3cr3t" }), ["ok", "its bearer token is set"]);
  const [status, found] = await look(bearer);
  assertEquals([status, found], ["failed", 'the variable "TOKEN", which holds its bearer token, is not set']);
  assertEquals((await look(bearer, "/", { TOKEN: "s3cr3t\n" }))[0], "failed");
  assertEquals(await look({ url, http_headers: { "x-a": "s3cr3t" }, env_http_headers: { "x-b": "B" } }), [
    "ok",
    'its header fields can be sent; not set: "B"',
  ]);
});
