import { mkdir, symlink } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";
import { assertEquals, assertRejects } from "@std/assert";
import {
  codexConfiguration,
  codexConfigurationOn,
} from "../../../adapters/configuration/codex_configuration.ts";
import type { ConfigurationPlaces } from "../../../adapters/configuration/places.ts";
import { DISKS } from "./disks.ts";
import { put, until, withFolder } from "./folder.ts";

const SERVER = '[mcp_servers.a]\ncommand = "x"\n';

/** Runs `body` with a machine that has a project with a folder in it. */
async function withMachine(
  body: (places: ConfigurationPlaces, base: string) => Promise<void>,
): Promise<void> {
  await withFolder(async (base) => {
    await mkdir(join(base, "work/project/deep"), { recursive: true });
    await put(join(base, "work/project/.git/HEAD"), "ref: refs/heads/main\n");
    await body({
      administrator: join(base, "etc/managed_config.toml"),
      system: join(base, "etc/config.toml"),
      user: join(base, "home/.codex/config.toml"),
      named: false,
      home: join(base, "home/.codex"),
      directory: join(base, "work/project/deep"),
    }, base);
  });
}

async function kinds(places: ConfigurationPlaces): Promise<string[]> {
  const outcome = await codexConfiguration(places).load();
  for (const disk of DISKS.values()) {
    assertEquals(await codexConfigurationOn(disk, places).load(), outcome);
  }
  if (outcome.kind !== "loaded") return [outcome.kind];
  return outcome.layers.map(({ kind, admitted }) => admitted === undefined ? kind : `${kind} ${admitted}`);
}

test("codexConfiguration: without any file there is nothing", async () => {
  await withMachine(async (places, base) => {
    assertEquals(await codexConfiguration(places).load(), {
      kind: "loaded",
      layers: [],
      texts: new Map(),
      remarks: [],
      workspace: join(base, "work/project"),
    });
  });
});

test("codexConfiguration: each file is its layer, with its text", async () => {
  await withMachine(async (places, base) => {
    for (const path of [places.administrator, places.system, places.user]) await put(path ?? "", SERVER);
    await put(join(base, "work/project/.codex/config.toml"), SERVER);
    await put(join(base, "work/project/deep/.codex/config.toml"), SERVER);
    assertEquals(await kinds(places), ["system", "user", "administrator", "project", "project"]);
    const outcome = await codexConfiguration(places).load();
    assertEquals(outcome.kind === "loaded" && outcome.texts.get(places.user), {
      format: "toml",
      text: SERVER,
    });
  });
});

test("codexConfiguration: a project that host policy trusts, folder by folder", async () => {
  await withMachine(async (places, base) => {
    const root = join(base, "work/project");
    await put(join(root, ".codex/config.toml"), SERVER);
    await put(join(root, "deep/.codex/config.toml"), SERVER);
    const trusting = (folder: string): string =>
      `[projects.${JSON.stringify(folder)}]\ntrust_level = "trusted"\n`;
    const admitted = "project trusted-project";
    await put(places.user, trusting(root));
    assertEquals(await kinds(places), ["user", admitted, admitted]);
    await put(places.user, trusting(join(root, "deep")));
    assertEquals(await kinds(places), ["user", "project", admitted]);
    await put(places.user, trusting(join(base, "work")));
    assertEquals(await kinds(places), ["user", "project", "project"]);
    await put(places.user, "");
    await put(join(root, ".codex/config.toml"), trusting(root));
    assertEquals(await kinds(places), ["user", "project", "project"]);
  });
});

test("codexConfiguration: trust goes by the real path of the folder", async () => {
  await withMachine(async (places, base) => {
    const root = join(base, "work/project");
    await symlink(root, join(base, "link"));
    await put(join(root, ".codex/config.toml"), SERVER);
    const directory = join(base, "link");
    await put(places.user, `[projects.${JSON.stringify(root)}]\ntrust_level = "trusted"\n`);
    assertEquals(await kinds({ ...places, directory }), ["user", "project trusted-project"]);
    await put(places.user, `[projects.${JSON.stringify(directory)}]\ntrust_level = "trusted"\n`);
    assertEquals(await kinds({ ...places, directory }), ["user", "project"]);
  });
});

test("codexConfiguration: a file that somebody named takes the place of the user's, and may be JSON", async () => {
  await withMachine(async (places, base) => {
    await put(places.user, SERVER);
    const user = await put(join(base, "mcp.json"), '{"mcpServers": {}}');
    assertEquals(await kinds({ ...places, user, named: true }), ["user"]);
    const inside = await put(join(base, "work/project/mcp.json"), '{"mcpServers": {}}');
    assertEquals(await kinds({ ...places, user: inside, named: true }), ["project named-file"]);
    assertEquals(await kinds({ ...places, user: join(base, "none.json"), named: true }), ["unavailable"]);
  });
});

test("codexConfiguration: one broken file of host policy rejects all, a project's does not", async () => {
  await withMachine(async (places, base) => {
    await put(places.user, SERVER);
    await put(join(base, "work/project/.codex/config.toml"), "a =");
    const outcome = await codexConfiguration(places).load();
    assertEquals(outcome.kind === "loaded" && [outcome.layers.length, outcome.remarks.length], [1, 1]);
    await put(places.system ?? "", "a =");
    assertEquals(await kinds(places), ["rejected"]);
  });
});

test("codexConfiguration: gives up with its signal", async () => {
  await withMachine(async (places) => {
    await assertRejects(
      () => codexConfiguration(places).load(AbortSignal.abort(new Error("Over"))),
      Error,
      "Over",
    );
  });
});

test("codexConfiguration: what is loaded is watched, also what comes later", async () => {
  await withMachine(async (places, base) => {
    const source = codexConfiguration(places);
    await source.load();
    let changes = 0;
    const watching = source.watch?.(() => changes++);
    try {
      await put(places.user, SERVER);
      await until(() => changes === 1);
      await put(join(base, "work/project/.codex/config.toml"), SERVER);
      await until(() => changes === 2);
    } finally {
      watching?.close();
    }
  });
});
