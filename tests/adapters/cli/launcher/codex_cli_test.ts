import { assertEquals } from "@std/assert";
import { mkdir, symlink, writeFile } from "node:fs/promises";
import { dirname, join, relative } from "node:path";
import process from "node:process";
import { test } from "node:test";
import { installedCodex } from "../../../../adapters/cli/launcher/codex_cli.ts";
import { withFolders } from "../cli_process.ts";

const platform = "linux";
const ARCHITECTURE = process.arch === "arm64" ? "aarch64" : "x86_64";
const OTHER = process.arch === "arm64" ? "x86_64" : "aarch64";
const vendor = (architecture = ARCHITECTURE) =>
  join("vendor", `${architecture}-unknown-linux-musl`, "bin", "codex");

async function put(...parts: readonly string[]): Promise<string> {
  const path = join(...parts);
  await mkdir(dirname(path), { recursive: true });
  await writeFile(path, "");
  return path;
}

test("an executable on PATH is itself, in the order of PATH and once", async () => {
  await withFolders(["a", "b", "c", "none"], async (a = "", b = "", c = "", none = "") => {
    const [first, second] = [await put(a, "codex"), await put(b, "codex")];
    await symlink(second, join(c, "codex"));
    const PATH = [none, "/missing", a, c, b, a].join(":");
    assertEquals(await installedCodex({ environment: { PATH, DENO_DIR: none }, platform }), [first, second]);
  });
});

test("relative and empty entries of PATH are passed over", async () => {
  await withFolders(["a", "none"], async (a = "", none = "") => {
    await put(a, "codex");
    const PATH = `${relative(Deno.cwd(), a)}::.`;
    assertEquals(await installedCodex({ environment: { PATH, DENO_DIR: none }, platform }), []);
    assertEquals(await installedCodex({ environment: { DENO_DIR: none }, platform }), []);
  });
});

test("npm's script leads to the executable that it starts, and is none itself", async () => {
  await withFolders(["prefix", "none"], async (prefix = "", none = "") => {
    const modules = join(prefix, "lib", "node_modules", "@openai");
    const script = await put(modules, "codex", "bin", "codex.js");
    await mkdir(join(prefix, "bin"));
    await symlink(script, join(prefix, "bin", "codex"));
    const environment = { PATH: join(prefix, "bin"), DENO_DIR: none };
    assertEquals(await installedCodex({ environment, platform }), []);
    const beside = await put(modules, "codex-linux-x64", vendor());
    await put(modules, "codex-linux-arm64", vendor(OTHER));
    await put(modules, "other", vendor());
    assertEquals(await installedCodex({ environment, platform }), [beside]);
    const inside = await put(modules, "codex", "node_modules", "@openai", "codex-linux-x64", vendor());
    assertEquals(await installedCodex({ environment, platform }), [beside, inside]);
  });
});

test("Deno's cache gives the newest version first, after PATH", async () => {
  await withFolders(["cache", "bin"], async (cache = "", bin = "") => {
    const versions = join(cache, "npm", "registry.example", "@openai", "codex");
    const old = await put(versions, "0.99.0-linux-x64", vendor());
    const latest = await put(versions, "0.171.0-linux-x64", vendor());
    await put(versions, "0.200.0-linux-arm64", vendor(OTHER));
    await put(versions, "0.171.0", "bin", "codex.js");
    const onPath = await put(bin, "codex");
    const environment = { PATH: bin, DENO_DIR: cache };
    assertEquals(await installedCodex({ environment, platform }), [onPath, latest, old]);
  });
});

test("the cache is where Deno has it", async () => {
  await withFolders(["home", "xdg"], async (HOME = "", XDG_CACHE_HOME = "") => {
    const rest = ["npm", "registry.example", "@openai", "codex", "1.0.0-linux-x64", vendor()];
    const plain = await put(HOME, ".cache", "deno", ...rest);
    const xdg = await put(XDG_CACHE_HOME, "deno", ...rest);
    const mac = await put(HOME, "Library", "Caches", "deno", ...rest);
    assertEquals(await installedCodex({ environment: { HOME }, platform }), [plain]);
    assertEquals(await installedCodex({ environment: { HOME, XDG_CACHE_HOME: "" }, platform }), [plain]);
    assertEquals(await installedCodex({ environment: { HOME, XDG_CACHE_HOME }, platform }), [xdg]);
    assertEquals(await installedCodex({ environment: { HOME }, platform: "darwin" }), [mac]);
    const relativeCache = { DENO_DIR: relative(Deno.cwd(), join(HOME, ".cache", "deno")) };
    assertEquals(await installedCodex({ environment: relativeCache, platform }), []);
  });
});
