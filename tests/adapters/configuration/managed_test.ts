import { chmod } from "node:fs/promises";
import { join } from "node:path";
import process from "node:process";
import { test } from "node:test";
import { assertEquals, assertRejects } from "@std/assert";
import { loadManaged, watchManaged } from "../../../adapters/configuration/managed.ts";
import { MAX_CONFIGURATION_BYTES } from "../../../adapters/configuration/read_text.ts";
import { put, until, withFolder } from "./folder.ts";

const TOML = "[features]\nuse_xaa = true\n";

test("loadManaged: a file and a callback are the administrator's layer", async () => {
  await withFolder(async (folder) => {
    const path = await put(join(folder, "managed.toml"), TOML);
    const file = await loadManaged({ path });
    const values = { features: { use_xaa: true } };
    assertEquals(file, {
      kind: "loaded",
      layer: { kind: "administrator", source: path, values, codexFile: true, format: "toml" },
      text: { format: "toml", text: TOML },
    });
    const callback = await loadManaged({ load: () => Promise.resolve('{"features": {"use_xaa": true}}') });
    assertEquals(callback.kind === "loaded" && callback.layer, {
      kind: "administrator",
      source: "managed configuration",
      values,
      codexFile: false,
      format: "json",
    });
    const named = await loadManaged({ load: () => Promise.resolve(TOML), name: "policy service" });
    assertEquals(named.kind === "loaded" && named.layer.source, "policy service");
  });
});

test("loadManaged: what cannot be loaded is unavailable, and what was thrown is not told", async () => {
  await withFolder(async (folder) => {
    const reasons = async (managed: Parameters<typeof loadManaged>[0]): Promise<string> => {
      const outcome = await loadManaged(managed, { deadlineMs: 50 });
      assertEquals(JSON.stringify(outcome).includes("secret-7"), false);
      return outcome.kind === "unavailable" ? outcome.reason : outcome.kind;
    };
    assertEquals(await reasons({ path: join(folder, "none.toml") }), "ENOENT");
    assertEquals(await reasons({ path: folder }), "NO_FILE");
    assertEquals(await reasons({ load: () => Promise.reject(new Error("secret-7")) }), "SOURCE_FAILED");
    assertEquals(
      await reasons({
        load: () => {
          throw new Error("secret-7");
        },
      }),
      "SOURCE_FAILED",
    );
    assertEquals(await reasons({ load: () => Promise.resolve(7 as unknown as string) }), "SOURCE_FAILED");
    assertEquals(
      await reasons({ load: () => Promise.resolve("#".repeat(MAX_CONFIGURATION_BYTES + 1)) }),
      "TOO_LARGE",
    );
    assertEquals(await reasons({ load: () => new Promise(() => {}) }), "TIMEOUT");
  });
});

test("loadManaged: what its format does not allow is invalid, by its line", async () => {
  for (const [text, line] of [["a = 1\nb", 2], ['{\n"a"\n}', 3]] as const) {
    const outcome = await loadManaged({ load: () => Promise.resolve(text) });
    assertEquals(
      outcome.kind === "rejected" && [outcome.fault.code, outcome.fault.line, outcome.fault.layer?.kind],
      [
        "FILE_MALFORMED",
        line,
        "administrator",
      ],
    );
  }
  await withFolder(async (folder) => {
    const path = await put(join(folder, "managed.toml"), new Uint8Array([0xff, 0xfe]));
    assertEquals((await loadManaged({ path })).kind, "rejected");
  });
});

test("loadManaged: a file that others may write is invalid", async () => {
  if (process.platform === "win32") return;
  await withFolder(async (folder) => {
    const path = await put(join(folder, "managed.toml"), TOML);
    await chmod(path, 0o646);
    const outcome = await loadManaged({ path });
    assertEquals(outcome.kind === "rejected" && outcome.fault.code, "LAYER_NOT_TRUSTED");
  });
});

test("loadManaged: gives up with its signal, and tells the callback", async () => {
  const over = new AbortController();
  let told = false;
  const load = (signal: AbortSignal): Promise<string> => {
    signal.addEventListener("abort", () => told = true);
    over.abort(new Error("Over"));
    return new Promise(() => {});
  };
  await assertRejects(() => loadManaged({ load }, { signal: over.signal }), Error, "Over");
  assertEquals(told, true);
});

test("watchManaged: a file, a callback that can, and one that cannot", async () => {
  await withFolder(async (folder) => {
    const path = await put(join(folder, "managed.toml"), TOML);
    const seen = new Map<string, string>();
    await loadManaged({ path }, { seen });
    let changes = 0;
    const onChange = (): void => void changes++;
    const watching = watchManaged({ path }, { seen, onChange });
    try {
      await put(path, "");
      await until(() => changes === 1);
    } finally {
      watching?.close();
    }
  });
  const load = (): Promise<string> => Promise.resolve("");
  const close = (): void => {};
  const facts = { seen: new Map<string, string>(), onChange: close };
  assertEquals(watchManaged({ load }, facts), null);
  assertEquals(watchManaged({ load, watch: () => ({ close }) }, facts), { close });
});
