/**
 * What the soak's stage is built on: a folder with a configuration, two launchers and a place for records, the world,
 * and a host over them.
 *
 * @module
 */

import { chmod, mkdir, mkdtemp, realpath, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parse } from "smol-toml";
import { createFileCatalogStore } from "../../adapters/catalog/file_store.ts";
import { codexConfiguration } from "../../adapters/configuration/codex_configuration.ts";
import { codexPlaces } from "../../adapters/configuration/places.ts";
import { createHost } from "../../adapters/deno/host.ts";
import { createSendingRuntime } from "../../adapters/deno/sending.ts";
import { Discovery } from "../../adapters/http/discovery/discovery.ts";
import { MemoryGrantSource } from "../../adapters/http/grants/memory_grant_source.ts";
import { recordOf } from "../../adapters/http/grants/store_sign_in.ts";
import { beginSignIn } from "../../adapters/http/sign_in/authorization_code.ts";
import { createClock } from "../../adapters/http/transport/clock.ts";
import { createHttp } from "../../adapters/http/transport/http.ts";
import type { InputHandlers } from "../../adapters/mcp/host/client/input.ts";
import type { Host } from "../../adapters/mcp/host/host.ts";
import { inlineSecret } from "../../core/enterprise/config/secret.ts";
import { browse } from "../../tests/fixtures/enterprise/browse.ts";
import type { FleetPlaces } from "./fleet.ts";
import { firstConfiguration } from "./governor.ts";
import { ACCOUNTS, type Stage } from "./stage.ts";
import { startWorld, type World } from "./world_client.ts";

/** What is there before anything happens. */
export interface Backdrop extends Pick<Stage, "host" | "world" | "launchers" | "signIn"> {
  readonly places: FleetPlaces;
  /** The file of the configuration. */
  readonly file: string;
  /** The folder of tool catalogs. */
  readonly catalogs: string;
  readonly placements: ReturnType<typeof firstConfiguration>["placements"];
  /** Takes everything away; the host has to be closed. */
  strike(): Promise<void>;
}

/** Answers the probe, and nothing else. */
const LAUNCHER = '#!/bin/sh\nif [ "$2/$3/$4" = "--sandbox-state-json/{}/--help" ]; then exit 0; fi\nexit 1\n';

/** Builds it. */
export async function buildBackdrop(run: string, onInput: InputHandlers): Promise<Backdrop> {
  const folder = await realpath(await mkdtemp(join(tmpdir(), "soak-host-")));
  const [ledger, home, catalogs, workspace] = ["ledger", "codex", "catalogs", "workspace"].map((name) =>
    join(folder, name)
  ) as [
    string,
    string,
    string,
    string,
  ];
  for (const one of [ledger, home, catalogs, workspace]) await mkdir(one, { mode: 0o700 });
  await mkdir(join(workspace, ".git")); // the workspace ends here, whatever appears beside it
  const launchers = await Promise.all(["a", "b"].map((name) => writeLauncher(join(folder, name))));
  const world = await startWorld({ ledger, run });
  const [head = "", ...servers] = world.places.configuration.split(/^(?=\[mcp_servers\.)/m);
  const bed = Object.fromEntries(
    servers.map((text) => [/^\[mcp_servers\.(\w+)/.exec(text)?.[1] ?? "", text.trimEnd()]),
  );
  const places: FleetPlaces = { ledger, run, origin: world.places.origin, bed: { head, servers: bed } };
  const { text, placements } = firstConfiguration(places);
  const file = join(home, "config.toml");
  await writeFile(file, text, { mode: 0o600 });
  const host = await startHost({ workspace, home, catalogs, onInput });
  return {
    host,
    world,
    launchers,
    places,
    file,
    catalogs,
    placements,
    signIn: signInWith(host, world, { text, file }),
    strike: async () => {
      await world.end();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

async function writeLauncher(
  folder: string,
): Promise<{ readonly executable: string; readonly folder: string }> {
  await mkdir(folder);
  const executable = join(folder, "codex");
  await writeFile(executable, `${LAUNCHER}# ${folder}\n`);
  await chmod(executable, 0o755);
  return { executable, folder };
}

async function startHost({ workspace, home, catalogs, onInput }: {
  readonly workspace: string;
  readonly home: string;
  readonly catalogs: string;
  readonly onInput: InputHandlers;
}): Promise<Host> {
  const environment = {
    HOME: Deno.env.get("HOME") ?? home,
    PATH: Deno.env.get("PATH") ?? "/usr/bin:/bin",
    CODEX_HOME: home,
  };
  const source = new MemoryGrantSource();
  const places = codexPlaces({ environment, platform: "linux", directory: workspace });
  return await createHost({
    environment,
    directory: workspace,
    configuration: codexConfiguration({ ...places, administrator: null, system: null }),
    secrets: { grants: () => source, secret: () => Promise.resolve(null) },
    ownerFrom: "host",
    catalog: createFileCatalogStore({ folder: catalogs }),
    onInput,
  });
}

/** Signs in as a person would, without a browser. */
function signInWith(
  host: Host,
  world: World,
  { text, file }: { readonly text: string; readonly file: string },
): (account: string) => Promise<void> {
  const values = parse(text);
  const layer = { kind: "user", source: file, values, codexFile: true } as const;
  const parts = {
    http: createHttp({ runtime: createSendingRuntime() }),
    clock: createClock(),
    readSecret: (reference: Parameters<typeof inlineSecret>[1]) =>
      Promise.resolve(inlineSecret([layer], reference) ?? ""),
  };
  return async (name) => {
    await world.order({ kind: "account", name });
    await host.signIn({
      account: ACCOUNTS[name] ?? null,
      work: async (signal, provider) => {
        const metadata = (await new Discovery(parts).provider(provider, { signal })).value;
        const pending = await beginSignIn(
          { ...parts, provider, metadata, signal },
          "http://127.0.0.1/callback",
        );
        const signedIn = await pending.finish(await browse(pending.url));
        return recordOf(signedIn, { provider, now: parts.clock.now() });
      },
    });
  };
}
