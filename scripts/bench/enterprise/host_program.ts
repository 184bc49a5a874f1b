/**
 * This package's side: `createHost` with the configuration in memory and the sign-in in a store in memory.
 *
 * @module
 */

import type { ConfigurationSource } from "../../../adapters/configuration/source.ts";
import { createHost } from "../../../adapters/deno/host.ts";
import { MemoryGrantSource } from "../../../adapters/http/grants/memory_grant_source.ts";
import { storeRecord } from "../../../tests/real/enterprise/servers/host.ts";
import type { Place, PlaceClient } from "./place.ts";
import type { Program } from "./side.ts";

/** Starts it. */
export async function startHostProgram(place: Place): Promise<Program> {
  const grants = new MemoryGrantSource();
  await storeRecord(grants, place.record);
  const host = await createHost({
    environment: {},
    directory: "/",
    configuration: NOTHING,
    managed: { load: () => Promise.resolve(configuration(place)) },
    secrets: { grants: () => grants, secret: () => Promise.resolve(null) },
  });
  return {
    openThread: () => {
      const thread = host.openThread();
      return { call: async () => JSON.stringify((await thread.callTool("notes", "whoami")).content) };
    },
    close: () => host.close(),
  };
}

/** No files: what is configured is the program's own. */
const NOTHING: ConfigurationSource = {
  load: () => Promise.resolve({ kind: "loaded", layers: [], texts: new Map(), remarks: [], workspace: null }),
};

function configuration({ url, idpIssuer, asIssuer, discovered, idpClient, asClient }: Place): string {
  const text = (value: string): string => JSON.stringify(value);
  const client = ({ id, secret }: PlaceClient, method: string): string =>
    secret === null ? `client_id = ${text(id)}` : `client_id = ${text(id)}
client_secret = ${text(secret)}
token_endpoint_auth_method = ${text(method)}`;
  return `
[features]
use_xaa = true

[mcp_enterprise_managed_auth.idp]
issuer = ${text(idpIssuer)}
${client(idpClient, "client_secret_post")}

[mcp_servers.notes]
url = ${text(url)}
auth = "ema_auth"
scopes = ["notes:read"]

[mcp_servers.notes.oauth]
${client(asClient, "client_secret_post")}
${discovered ? "" : `authorization_server_issuer = ${text(asIssuer)}`}
`;
}
