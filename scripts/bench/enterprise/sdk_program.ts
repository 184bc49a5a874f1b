/**
 * The peer: the MCP SDK's client with its own provider for cross-app access, `CrossAppAccessProvider`, put together as
 * its documentation says. All threads of a program share one provider, and so its token: the best it can do. And, as
 * the measure of what a call costs without any of this, the SDK's client with a bearer that it was given.
 *
 * @module
 */

import {
  Client,
  CrossAppAccessProvider,
  discoverAndRequestJwtAuthGrant,
  StreamableHTTPClientTransport,
  type StreamableHTTPClientTransportOptions,
} from "@modelcontextprotocol/client";
import type { Place } from "./place.ts";
import type { Program, ProgramThread } from "./side.ts";

/** Starts the program with the provider. */
export function startSdkProgram(place: Place): Promise<Program> {
  const { idpIssuer, asIssuer, idpClient, asClient, record } = place;
  const authProvider = new CrossAppAccessProvider({
    assertion: async ({ authorizationServerUrl, resourceUrl, scope, fetchFn }) =>
      (await discoverAndRequestJwtAuthGrant({
        idpUrl: idpIssuer,
        audience: authorizationServerUrl,
        resource: resourceUrl,
        idToken: record.idToken ?? "",
        clientId: idpClient.id,
        ...(idpClient.secret === null ? {} : { clientSecret: idpClient.secret }),
        ...(scope === undefined ? {} : { scope }),
        fetchFn,
      })).jwtAuthGrant,
    clientId: asClient.id,
    clientSecret: asClient.secret ?? "",
    expectedIssuer: asIssuer,
  });
  return Promise.resolve(programOf(place.url, { authProvider }));
}

/** Starts a program whose requests have `bearer` on, and nothing else. */
export function startBareProgram(url: string, bearer: string): Program {
  return programOf(url, { requestInit: { headers: { authorization: `Bearer ${bearer}` } } });
}

function programOf(url: string, options: StreamableHTTPClientTransportOptions): Program {
  const clients: Client[] = [];
  return {
    openThread: () => {
      const { client, thread } = openThread(url, options);
      clients.push(client);
      return thread;
    },
    close: async () => {
      await Promise.all(clients.map((client) => client.close()));
    },
  };
}

function openThread(
  url: string,
  options: StreamableHTTPClientTransportOptions,
): { readonly client: Client; readonly thread: ProgramThread } {
  const client = new Client({ name: "bench", version: "1" }, { versionNegotiation: { mode: "auto" } });
  let connected: Promise<void> | undefined;
  const call = async (): Promise<string> => {
    await (connected ??= client.connect(new StreamableHTTPClientTransport(new URL(url), options)));
    return JSON.stringify((await client.callTool({ name: "whoami", arguments: {} })).content);
  };
  return { client, thread: { call } };
}
