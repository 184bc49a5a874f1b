import { assertEquals } from "@std/assert";
import { mkdir, rmdir, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";
import { codexConfigurationOn } from "../../../adapters/configuration/codex_configuration.ts";
import type { ConfigurationPlaces } from "../../../adapters/configuration/places.ts";
import { foldersBetween, projectRoot } from "../../../adapters/configuration/project_root.ts";
import type { LoadedLayers } from "../../../adapters/configuration/source.ts";
import { DISKS } from "./disks.ts";
import { put as write, withFolder } from "./folder.ts";

const POLICY = "[features]\nuse_xaa = true\n";

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
  await withFolder(async (base) => {
    await mkdir(join(base, "work", "project", "deep"), { recursive: true });
    await mkdir(join(base, "work", "project", ".git"));
    await body(base);
  });
}

async function load(at: ConfigurationPlaces): Promise<LoadedLayers> {
  const [outcome = null, ...others] = await Promise.all(
    [...DISKS.values()].map((disk) => codexConfigurationOn(disk, at).load()),
  );
  for (const other of others) assertEquals(other, outcome);
  if (outcome?.kind === "loaded") return outcome;
  throw new Error(`Cannot load the configuration: ${outcome?.kind}`);
}

test("the root is the nearest folder with a .git, else the folder itself", async () => {
  await withMachine(async (base) => {
    const home = join(base, "home");
    const root = join(base, "work", "project");
    for (const disk of DISKS.values()) {
      assertEquals(await projectRoot(join(root, "deep"), home, { disk }), root);
    }
    assertEquals(foldersBetween(root, join(root, "deep")), [root, join(root, "deep")]);
    assertEquals([await projectRoot(join(base, "work"), home), foldersBetween(base, base)], [
      join(base, "work"),
      [base],
    ]);
  });
});

/** Whose layer the file at `named` is, from `directory`. */
async function kindOf(base: string, named: string, directory: string): Promise<string | undefined> {
  const at = places(base, { user: join(base, named), named: true, directory: join(base, directory) });
  return (await load(at)).layers.find(({ source }) => source === at.user)?.kind;
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
    const { layers } = await load(at);
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
    assertEquals((await load(at)).layers.map(({ kind }) => kind), ["user"]);
  });
});
