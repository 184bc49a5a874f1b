/**
 * The enterprise servers for tests over the test bed: its configuration, a grant source in memory, sign-ins made
 * without a browser, and what was told.
 *
 * @module
 */

import * as sdk from "@modelcontextprotocol/client";
import { assert, assertEquals, assertRejects } from "@std/assert";
import { createSendingRuntime } from "../../../../adapters/deno/sending.ts";
import { createClock } from "../../../../adapters/http/transport/clock.ts";
import { createDigest } from "../../../../adapters/http/transport/digest.ts";
import type { GrantSource } from "../../../../adapters/http/grants/grant_source.ts";
import { createHttp } from "../../../../adapters/http/transport/http.ts";
import { MemoryGrantSource } from "../../../../adapters/http/grants/memory_grant_source.ts";
import {
  createEnterpriseServers,
  type EnterpriseServers,
} from "../../../../adapters/mcp/host/enterprise/threads/create_enterprise_servers.ts";
import type { EnterpriseServersOptions } from "../../../../adapters/mcp/host/enterprise/options.ts";
import type { EnterpriseServersEvent } from "../../../../adapters/mcp/host/enterprise/event.ts";
import type { EnterpriseOpenConnection } from "../../../../adapters/mcp/host/enterprise/open_connection.ts";
import { inlineSecret } from "../../../../core/enterprise/config/secret.ts";
import type { EnterpriseProvider } from "../../../../core/enterprise/config/provider.ts";
import { EnterpriseError, type EnterpriseErrorCode } from "../../../../core/enterprise/error.ts";
import { grantKey } from "../../../../core/enterprise/grant/key.ts";
import type { GrantRecord } from "../../../../core/enterprise/grant/record.ts";
import type { ClockPort } from "../../../../core/ports/clock.ts";
import { type EnterpriseBed, select } from "../../../fixtures/enterprise/mod.ts";
import { configurationOf, type HostOptions, layerOf, recordOf } from "../tokens/host.ts";

/** The enterprise servers over the bed. */
export interface DeskHost {
  readonly enterprise: EnterpriseServers;
  readonly source: GrantSource;
  readonly provider: EnterpriseProvider;
  readonly events: EnterpriseServersEvent[];
  readonly clock: ClockPort & { shift: number };
  /** Signs in and stores the grant as another process would. */
  signIn(account: string): Promise<GrantRecord>;
  /** Loads the configuration with other members. */
  load(options?: HostOptions): Promise<void>;
  /** Kinds of what was told, with their reasons, and forgets it. */
  told(): readonly string[];
}

/** Starts the enterprise servers that has loaded the bed's configuration; nobody is signed in. */
export async function startDesk(
  bed: EnterpriseBed,
  { source = new MemoryGrantSource(), server, ...options }:
    & Partial<Omit<EnterpriseServersOptions, "grants">>
    & Pick<HostOptions, "source" | "server"> = {},
): Promise<DeskHost> {
  const members = server === undefined ? {} : { server };
  const configuration = configurationOf(bed, members);
  const [provider] = configuration.providers;
  assert(provider !== undefined);
  const real = createClock();
  const clock = { shift: 0, now: (): number => real.now() + clock.shift, sleep: real.sleep };
  const events: EnterpriseServersEvent[] = [];
  const runtime = createSendingRuntime();
  let layers = [layerOf(bed, members)];
  const enterprise = createEnterpriseServers({
    grants: () => Promise.resolve(source),
    http: createHttp({ runtime }),
    runtime,
    readSecret: (reference) => Promise.resolve(inlineSecret(layers, reference) ?? ""),
    clock,
    digest: createDigest(),
    sdk,
    clientInfo: { name: "test", version: "1" },
    onEvent: (event) => void events.push(event),
    watchCatalog: false,
    ...options,
  });
  await enterprise.load(configuration);
  return {
    enterprise,
    source,
    provider,
    events,
    clock,
    signIn: async (account) => {
      const record = await recordOf(bed, { account, provider });
      await storeRecord(source, record);
      return record;
    },
    load: async (changed = {}) => {
      layers = [layerOf(bed, changed)];
      await enterprise.load(configurationOf(bed, changed));
    },
    told: () =>
      events.splice(0).map((one) =>
        "reason" in one
          ? `${one.kind}: ${one.reason}`
          : "because" in one
          ? `${one.kind}: ${one.because}`
          : one.kind
      ),
  };
}

/** Stores a sign-in as another process would. */
export async function storeRecord(source: GrantSource, record: GrantRecord): Promise<void> {
  const { user, workspace, issuer, clientId } = record;
  const key = await grantKey({ owner: { user, workspace }, issuer, clientId }, createDigest());
  await source.locked((grants) => grants.write(key, record), AbortSignal.timeout(5_000));
}

/** What the server says of a caller. */
export interface Seen {
  readonly account: string;
  readonly token: string;
}

/** Asks the server who calls, over an open connection. */
export async function whoIs({ client }: Pick<EnterpriseOpenConnection, "client">): Promise<Seen> {
  const { content } = await client.callTool({ name: "whoami", arguments: {} });
  const [first] = content as readonly { readonly text: string }[];
  return JSON.parse(first?.text ?? "{}");
}

/** Asks the server who a thread is. */
export async function whoami(
  enterprise: EnterpriseServers,
  thread: string,
  server: string = "notes",
): Promise<Seen> {
  return await whoIs(await enterprise.connection(thread, server));
}

/** Asks for a connection, or calls, and expects a refusal with this code. */
export async function refused(
  work: () => Promise<unknown>,
  code: EnterpriseErrorCode,
): Promise<EnterpriseError> {
  const error = await assertRejects(work, EnterpriseError);
  assertEquals(error.code, code, `${error.message} (${error.reason})`);
  return error;
}

/** How many requests of each kind there were. */
export function counts(bed: EnterpriseBed): Readonly<Record<"exchange" | "redemption" | "mcp", number>> {
  const count = (endpoint: "idp.exchange" | "as.token" | "mcp.endpoint"): number =>
    select(bed.wire.entries(), { endpoint }).length;
  return { exchange: count("idp.exchange"), redemption: count("as.token"), mcp: count("mcp.endpoint") };
}
