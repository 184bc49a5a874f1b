import { assertEquals } from "@std/assert";
import { mkdir, rmdir, symlink, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import process from "node:process";
import { test } from "node:test";
import {
  type ConfigurationPlaces,
  configurationPlaces,
  loadEnterpriseConfiguration,
} from "../../../adapters/cli/enterprise_configuration.ts";
import { readFlags } from "../../../adapters/cli/flags.ts";
import { withFolders } from "./cli_process.ts";

const POLICY = `[features]
use_xaa = true
[mcp_enterprise_managed_auth.idp]
issuer = "https://idp.example"
client_id = "codex"
[mcp_servers.tracker]
url = "https://mcp.example/mcp"
auth = "ema_auth"
oauth = { client_id = "mcp" }
`;

async function write(path: string, text: string): Promise<void> {
  await mkdir(dirname(path), { recursive: true });
  await writeFile(path, text, { mode: 0o600 });
}

function places(base: string, changes: Partial<ConfigurationPlaces> = {}): ConfigurationPlaces {
  return {
    administrator: join(base, "etc", "managed_config.toml"),
    system: join(base, "etc", "config.toml"),
    user: join(base, "home", ".codex", "config.toml"),
    named: false,
    home: join(base, "home", ".codex"),
    directory: join(base, "work", "project", "deep"),
    ...changes,
  };
}

/** Runs `body` with a machine that has a project with a folder in it. */
async function withMachine(body: (base: string) => Promise<void>): Promise<void> {
  await withFolders(["machine"], async (base = "") => {
    await mkdir(join(base, "work", "project", "deep"), { recursive: true });
    await mkdir(join(base, "work", "project", ".git"));
    await body(base);
  });
}

test("without any file there is nothing", async () => {
  await withMachine(async (base) => {
    const { configuration, layers, remarks } = await loadEnterpriseConfiguration(places(base));
    assertEquals([configuration.enabled, configuration.servers, layers, remarks], [false, [], [], []]);
  });
});

test("each file is its layer, and the administrator's is the strongest", async () => {
  await withMachine(async (base) => {
    const at = places(base);
    await write(at.system ?? "", POLICY);
    await write(at.user, '[mcp_servers.tracker]\nscopes = ["a"]\n');
    await write(at.administrator ?? "", '[mcp_servers.tracker]\nscopes = ["b"]\n');
    const { configuration, layers } = await loadEnterpriseConfiguration(at);
    assertEquals(layers.map(({ kind }) => kind), ["system", "user", "administrator"]);
    assertEquals(configuration.servers.map(({ name, scopes, layer }) => [name, scopes, layer.kind]), [
      ["tracker", ["b"], "system"],
    ]);
  });
});

test("a project's files are read from its root down, and decide nothing", async () => {
  await withMachine(async (base) => {
    const at = places(base);
    await write(join(base, "work", ".codex", "config.toml"), POLICY);
    await write(join(base, "work", "project", ".codex", "config.toml"), POLICY);
    await write(join(at.directory, ".codex", "config.toml"), "broken");
    const { configuration, layers, remarks } = await loadEnterpriseConfiguration(at);
    assertEquals(layers.map(({ kind, source }) => [kind, source]), [
      ["project", join(base, "work", "project", ".codex", "config.toml")],
    ]);
    assertEquals([configuration.providers, configuration.servers, remarks.length], [[], [], 1]);
    assertEquals(configuration.disabled.map(({ faults: [fault] }) => fault.code), ["LAYER_NOT_TRUSTED"]);
  });
});

test("the user's file counts as the project's when it lies there, whatever names it", async () => {
  await withMachine(async (base) => {
    const inside = join(base, "work", "project", ".codex", "config.toml");
    await write(inside, POLICY);
    for (const named of [true, false]) {
      const { configuration, layers, remarks } = await loadEnterpriseConfiguration(
        places(base, { user: inside, named }),
      );
      assertEquals([layers.map(({ kind }) => kind), configuration.servers, remarks.length], [
        ["project"],
        [],
        1,
      ]);
    }
  });
});

test("the default folder stays the user's when the home is the workspace", async () => {
  await withMachine(async (base) => {
    const at = places(base, { directory: join(base, "home") });
    await write(at.user, POLICY);
    const { configuration, layers, remarks } = await loadEnterpriseConfiguration(at);
    assertEquals([layers.map(({ kind }) => kind), configuration.servers.length, remarks], [["user"], 1, []]);
  });
});

/** Whose layer the file at `named` is, from `directory`. */
async function kindOf(base: string, named: string, directory: string): Promise<string | undefined> {
  const at = places(base, { user: join(base, named), named: true, directory: join(base, directory) });
  return (await loadEnterpriseConfiguration(at)).layers.find(({ source }) => source === at.user)?.kind;
}

async function makeRepository(folder: string): Promise<void> {
  await write(join(folder, ".git", "HEAD"), "ref: refs/heads/main\n");
}

test("further out only a repository or a link to one counts, not whatever is named .git", async () => {
  await withMachine(async (base) => {
    await write(join(base, "work", "policy.toml"), POLICY);
    const outer = join(base, "work", ".git");
    const from = () => kindOf(base, "work/policy.toml", "work/project/deep");
    await mkdir(outer); // as a sandbox leaves it
    assertEquals(await from(), "user");
    await rmdir(outer);
    await writeFile(outer, "");
    assertEquals(await from(), "user");
    await writeFile(outer, "gitdir: /elsewhere\n");
    assertEquals(await from(), "project");
  });
});

test("a repository in another one belongs to it, whether its .git is a folder or a file", async () => {
  await withMachine(async (base) => {
    await write(join(base, "work", "project", "policy.toml"), POLICY);
    await write(join(base, "work", "policy.toml"), POLICY);
    await makeRepository(join(base, "work", "project"));
    await write(join(base, "work", "project", "deep", ".git"), "gitdir: ../.git/modules/deep\n");
    await mkdir(join(base, "work", "project", "deep", "deeper", ".git"), { recursive: true });
    for (const directory of ["work/project/deep", "work/project/deep/deeper", "work/project"]) {
      assertEquals(await kindOf(base, "work/project/policy.toml", directory), "project", directory);
      assertEquals(await kindOf(base, "work/policy.toml", directory), "user", directory);
    }
    // the project's own file of the outermost root is read too
    await write(join(base, "work", "project", ".codex", "config.toml"), "[features]\n");
    const at = places(base, { directory: join(base, "work", "project", "deep", "deeper") });
    const { layers } = await loadEnterpriseConfiguration(at);
    assertEquals(layers.map(({ kind, source }) => [kind, source]), [
      ["project", join(base, "work", "project", ".codex", "config.toml")],
    ]);
  });
});

test("a home that is kept in a repository, or lies in one, is no project around those below it", async () => {
  await withMachine(async (base) => {
    await mkdir(join(base, "home", "code", "app", "part"), { recursive: true });
    await write(join(base, "home", "mine.toml"), POLICY);
    await write(join(base, "home", "code", "app", "its.toml"), POLICY);
    await write(places(base).user, POLICY);
    for (const around of ["home", ""]) await makeRepository(join(base, around));
    // nothing below the home is a repository: the nearest one counts, as for any folder
    assertEquals(await kindOf(base, "home/mine.toml", "home/code/app"), "project");
    await mkdir(join(base, "home", "code", "app", ".git"));
    for (const directory of ["home/code/app", "home/code/app/part"]) {
      assertEquals(await kindOf(base, "home/mine.toml", directory), "user", directory);
      assertEquals(await kindOf(base, "home/code/app/its.toml", directory), "project", directory);
      assertEquals(await kindOf(base, "home/.codex/config.toml", directory), "user", directory);
    }
    assertEquals(await kindOf(base, "home/.codex/config.toml", "home"), "user");
    // from outside of the home the repository around both is the project
    await mkdir(join(base, "work", "project", "deep", ".git"));
    await write(join(base, "mine.toml"), POLICY);
    assertEquals(await kindOf(base, "mine.toml", "work/project/deep"), "project");
    assertEquals(await kindOf(base, "home/.codex/config.toml", "work/project/deep"), "user");
    // the home under another name is the same one
    await symlink(join(base, "home"), join(base, "alias"));
    const at = places(base, {
      user: join(base, "home", "mine.toml"),
      home: join(base, "alias", ".codex"),
      directory: join(base, "home", "code", "app"),
    });
    assertEquals((await loadEnterpriseConfiguration(at)).layers.map(({ kind }) => kind), ["user"]);
  });
});

test("where the files are follows from flags and variables", () => {
  const flags = (...args: string[]) => readFlags(args, { values: ["config"] });
  const directory = process.cwd();
  const linux = { environment: { HOME: "/home/me" }, platform: "linux" } as const;
  assertEquals(configurationPlaces(linux, flags()), {
    administrator: "/etc/codex/managed_config.toml",
    system: "/etc/codex/config.toml",
    user: "/home/me/.codex/config.toml",
    named: false,
    home: "/home/me/.codex",
    directory,
  });
  const moved = { ...linux, environment: { HOME: "/home/me", CODEX_HOME: "/other" } };
  assertEquals(configurationPlaces(moved, flags()).user, "/other/config.toml");
  const named = configurationPlaces(moved, flags("--config", "mine.toml"));
  assertEquals([named.user, named.named], [join(directory, "mine.toml"), true]);
  const windows = configurationPlaces({ environment: { USERPROFILE: "/u" }, platform: "windows" }, flags());
  assertEquals([windows.system, windows.administrator, windows.home], [null, null, "/u/.codex"]);
});
