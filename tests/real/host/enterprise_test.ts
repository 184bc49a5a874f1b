import { assert, assertEquals, assertRejects } from "@std/assert";
import { test } from "node:test";
import { parse } from "smol-toml";
import { createHost } from "../../../adapters/deno/host.ts";
import { createSendingRuntime } from "../../../adapters/deno/sending.ts";
import { codexConfiguration } from "../../../adapters/configuration/codex_configuration.ts";
import { codexPlaces } from "../../../adapters/configuration/places.ts";
import { createClock } from "../../../adapters/http/transport/clock.ts";
import { Discovery } from "../../../adapters/http/discovery/discovery.ts";
import { createHttp } from "../../../adapters/http/transport/http.ts";
import { MemoryGrantSource } from "../../../adapters/http/grants/memory_grant_source.ts";
import { beginSignIn } from "../../../adapters/http/sign_in/authorization_code.ts";
import { recordOf } from "../../../adapters/http/grants/store_sign_in.ts";
import type { CatalogEntry } from "../../../core/catalog/entry.ts";
import type { HostEvent } from "../../../adapters/mcp/host/events/host_events.ts";
import type { Host } from "../../../adapters/mcp/host/host.ts";
import { EnterpriseError } from "../../../core/enterprise/error.ts";
import { inlineSecret } from "../../../core/enterprise/config/secret.ts";
import { type EnterpriseBed, startEnterpriseBed } from "../../fixtures/enterprise/mod.ts";
import { removeFolder } from "../../fixtures/remove_folder.ts";

const ALICE = { user: "user-alice", workspace: "acme" };
const GLOBEX = { user: "user-alice-globex", workspace: "globex" };
const limit = { timeout: 120_000 };

interface Stage {
  readonly bed: EnterpriseBed;
  readonly host: Host;
  readonly events: HostEvent[];
  readonly written: CatalogEntry[];
  readonly file: string;
  signIn(account: typeof ALICE): Promise<void>;
}

async function onStage(play: (stage: Stage) => Promise<void>): Promise<void> {
  await using bed = await startEnterpriseBed({ profile: "okta-org" });
  const folder = await Deno.makeTempDir({ prefix: "host-enterprise-" });
  const home = `${folder}/.codex`;
  const file = `${home}/config.toml`;
  await Deno.mkdir(home, { mode: 0o700 });
  const text = bed.configuration();
  await Deno.writeTextFile(file, text, { mode: 0o600 });
  const written: CatalogEntry[] = [];
  const environment = { HOME: folder, PATH: "/usr/bin:/bin" };
  const source = new MemoryGrantSource();
  const places = codexPlaces({ environment, platform: "linux", directory: "/" });
  const host = await createHost({
    environment,
    directory: "/",
    configuration: codexConfiguration({ ...places, administrator: null, system: null }),
    secrets: { grants: () => source, secret: () => Promise.resolve(null) },
    ownerFrom: "host",
    catalog: {
      read: () => Promise.resolve(null),
      write: (_key, entry) => Promise.resolve(void written.push(entry)),
      drop: () => Promise.resolve(),
    },
  });
  const events: HostEvent[] = [];
  host.events.subscribe((event) => events.push(event));
  const values = parse(text);
  const layer = { kind: "user", source: file, values, codexFile: true } as const;
  const parts = {
    http: createHttp({ runtime: createSendingRuntime() }),
    clock: createClock(),
    readSecret: (reference: Parameters<typeof inlineSecret>[1]) =>
      Promise.resolve(inlineSecret([layer], reference) ?? ""),
  };
  try {
    await play({
      bed,
      host,
      events,
      written,
      file,
      signIn: async (account) => {
        bed.idp.controls.account = account === ALICE ? "alice" : "alice-globex";
        await host.signIn({
          account,
          work: async (signal, provider) => {
            const metadata = (await new Discovery(parts).provider(provider, { signal })).value;
            const pending = await beginSignIn(
              { ...parts, provider, metadata, signal },
              "http://127.0.0.1/callback",
            );
            const signedIn = await pending.finish(await bed.browse(pending.url));
            return recordOf(signedIn, { provider, now: parts.clock.now() });
          },
        });
      },
    });
  } finally {
    await host.close();
    await removeFolder(folder);
  }
}

test(
  "a thread calls an enterprise tool, loses it with its account, and gets it back when it asks",
  limit,
  () =>
    onStage(async ({ bed, host, events, signIn, written }) => {
      const thread = host.openThread({ account: ALICE });
      const early = await assertRejects(() => thread.callTool("notes", "whoami").result, EnterpriseError);
      assertEquals(early.code, "SIGN_IN_REQUIRED");
      await signIn(ALICE);
      const other = host.openThread({ account: ALICE });
      const call = other.callTool("notes", "whoami");
      assert(JSON.stringify((await call).content).includes("alice"));
      assert(call.authority.sent?.generation !== null);
      assert(!JSON.stringify(call.authority).includes("user-alice"));
      const report = other.status().find(({ name }) => name === "notes");
      assertEquals([report?.state, report?.era, report?.enterprise?.kind], ["ready", "modern", "ready"]);

      other.setAccount(GLOBEX);
      const refused = await assertRejects(() => other.callTool("notes", "whoami").result, EnterpriseError);
      assert(["REAUTHORIZATION_REQUIRED", "SIGN_IN_REQUIRED"].includes(refused.code));
      other.setAccount(ALICE);
      await assertRejects(() => other.callTool("notes", "whoami").result, EnterpriseError);
      assertEquals(await other.reauthorize("notes"), true);
      await other.callTool("notes", "whoami");
      assert(events.some(({ kind }) => kind === "authorization-revoked"));
      assert(events.some(({ kind }) => kind === "sign-in-needed"));
      for (const secret of bed.secretsInPlay()) assert(!JSON.stringify(events).includes(secret));

      const before = bed.wire.entries().length;
      await other.tools("notes");
      await other.tools("notes");
      const lists = bed.wire.entries().slice(before).filter(({ body }) => body.includes("tools/list"));
      assertEquals([lists.length, written.length], [2, 0]);
    }),
);

test(
  "a reload that is the same keeps the authorization; one without the server takes it",
  limit,
  () =>
    onStage(async ({ host, signIn, file }) => {
      await signIn(ALICE);
      const thread = host.openThread({ account: ALICE });
      await thread.callTool("notes", "whoami");
      assert((await host.reload()).accepted);
      await thread.callTool("notes", "whoami");
      const text = await Deno.readTextFile(file);
      await Deno.writeTextFile(file, text.replace("use_xaa = true", "use_xaa = false"));
      await host.reload();
      const error = await assertRejects(() => thread.callTool("notes", "whoami").result);
      assert(error instanceof Error && !error.message.includes("TypeError"), String(error));
    }),
);
