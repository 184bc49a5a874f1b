// Access tokens of one account in a Worker: got with the ID token that the account signed in with.
import { createClock, createDigest, createEdgeRuntime, createHttp } from "@codex-mcp/runtime/http";
import { createEnterpriseLegs, EnterpriseTokens, ProgramGrantSource } from "@codex-mcp/runtime/http/tokens";
import { EnterpriseError, grantKey, newGeneration, readConfiguration } from "@codex-mcp/runtime/enterprise";
import type { EnterpriseConfiguration, EnterpriseProvider } from "@codex-mcp/runtime/enterprise";
import type { AccountOwner, EnterpriseServer, SecretReference } from "@codex-mcp/runtime/enterprise";
import { decodeJwt } from "jose";

/** The bindings. Secrets have the names that CONFIGURATION gives them. */
export interface TokensEnv {
  readonly CONFIGURATION: object; // the tables of config.toml as JSON; no secret is in it
  readonly [name: string]: unknown;
}

/** What CONFIGURATION says. */
export interface Configured {
  readonly configuration: EnterpriseConfiguration;
  readonly provider: EnterpriseProvider;
  readonly server: (name: string) => EnterpriseServer;
}

export function configurationOf({ CONFIGURATION: values }: TokensEnv): Configured {
  const layer = { kind: "administrator", source: "CONFIGURATION", values, codexFile: false } as const;
  const configuration = readConfiguration([layer]);
  const { faults: [fault], providers: [provider], servers } = configuration;
  if (fault !== undefined || provider === undefined) {
    throw new Error(`Cannot use CONFIGURATION: ${JSON.stringify(fault ?? "it names no identity provider")}`);
  }
  return {
    configuration,
    provider,
    server: (name) => {
      const server = servers.find((one) => one.name === name);
      if (server === undefined) {
        throw new Error(`Cannot use the server "${name}": it is not in CONFIGURATION`);
      }
      return server;
    },
  };
}

/** Whose account it is. Believe it of a verified token alone. */
export function ownerOf(idToken: string): AccountOwner {
  const { sub = "", workspace_id: workspace = null } = decodeJwt<{ workspace_id?: string }>(idToken);
  return { user: sub, workspace };
}

/** Nothing is sent yet. The tokens belong to this ID token: begin anew with another one. */
export async function openTokens(idToken: string, env: TokensEnv): Promise<EnterpriseTokens> {
  const { configuration, provider: { issuer, client: { clientId } } } = configurationOf(env);
  const [clock, digest, runtime] = [createClock(), createDigest(), createEdgeRuntime()];
  const owner = ownerOf(idToken);
  const idTokenExpiresAt = decodeJwt(idToken).exp ?? null;
  const grants = new ProgramGrantSource({
    identity: {
      tokens: () => Promise.resolve({ refreshToken: null, idToken, idTokenExpiresAt }),
      rotated: () => Promise.resolve(), // there is no refresh token
    },
    key: await grantKey({ owner, issuer, clientId }, digest),
    subject: { issuer, clientId, ...owner, subject: owner.user },
    newGeneration: () => newGeneration(crypto.getRandomValues(new Uint8Array(16))),
  });
  const readSecret = (reference: SecretReference): Promise<string> => readBinding(reference, env);
  const legs = createEnterpriseLegs({ http: createHttp({ runtime }), clock, readSecret });
  const tokens = new EnterpriseTokens({
    legs,
    clock,
    digest,
    runtime,
    ownerFrom: "host",
    grants: () => grants,
  });
  await tokens.loadConfiguration(configuration);
  await tokens.setAccount(owner);
  return tokens;
}

function readBinding(reference: SecretReference, env: TokensEnv): Promise<string> {
  const secret = reference.kind === "environment" ? env[reference.name] : undefined;
  if (typeof secret === "string") return Promise.resolve(secret);
  const state = "CONFIGURATION names a secret that is no binding";
  return Promise.reject(new EnterpriseError("CONFIGURATION_REFUSED", `Cannot authenticate: ${state}`));
}
