/**
 * Where the sign-in of an account at an identity provider comes from: the host's grants, which all accounts share, or
 * the tokens that the program supplies with the account. Supplied tokens are shown only to the identity provider that
 * issued them.
 *
 * What a source of grants is is decided in `adapters/http/grants/grant_source.ts`. MCP EMA (stable); ID-JAG (draft
 * -04).
 *
 * @module
 */

import type { EnterpriseProvider } from "../../../../../core/enterprise/config/provider.ts";
import { EnterpriseError } from "../../../../../core/enterprise/error.ts";
import { grantKey } from "../../../../../core/enterprise/grant/key.ts";
import { freshGeneration } from "../../../../http/grants/fresh_generation.ts";
import type { GrantSource } from "../../../../http/grants/grant_source.ts";
import { type AccountIdentity, ProgramGrantSource } from "../../../../http/grants/program_grant_source.ts";
import { redactError } from "../../../../http/transport/redact.ts";
import type { AccountName, IssuedIdentity, KnownAccount } from "../account.ts";
import type { EnterpriseServersOptions } from "../options.ts";
import { LaterGrantSource } from "./later_grant_source.ts";

/** The sources of all accounts of a host. */
export class AccountGrants {
  readonly #options: Pick<EnterpriseServersOptions, "grants" | "digest">;
  readonly #shared = new Map<string, GrantSource>();
  readonly #issuers = new WeakMap<IssuedIdentity, string>();
  readonly #supplied = new WeakMap<IssuedIdentity, Map<string, ProgramGrantSource>>();

  /** Opens nothing yet. */
  constructor(options: Pick<EnterpriseServersOptions, "grants" | "digest">) {
    this.#options = options;
  }

  /** The source for `account` at `provider`; `alone`: the configuration names no other identity provider. */
  sourceOf(
    { name, identity }: KnownAccount,
    { provider, alone }: { readonly provider: EnterpriseProvider; readonly alone: boolean },
  ): GrantSource {
    const key = clientKey(provider);
    if (name !== null && identity !== null && this.#isIssuer(identity, { provider, alone })) {
      return this.#suppliedBy(identity, { name, provider });
    }
    const known = this.#shared.get(key) ??
      new LaterGrantSource(async () => await this.#options.grants(provider), true);
    this.#shared.set(key, known);
    return known;
  }

  /** The program signed the account of `identity` in anew, or out: what was got with it before is void. */
  replaced(identity: IssuedIdentity): void {
    for (const source of this.#supplied.get(identity)?.values() ?? []) source.replaced();
  }

  #isIssuer(
    identity: IssuedIdentity,
    { provider, alone }: { readonly provider: EnterpriseProvider; readonly alone: boolean },
  ): boolean {
    const { issuer, clientId = provider.client.clientId } = identity;
    if (issuer !== undefined) return issuer === provider.issuer && clientId === provider.client.clientId;
    const key = clientKey(provider);
    const known = this.#issuers.get(identity) ?? (alone ? key : undefined);
    if (known !== undefined) this.#issuers.set(identity, known);
    return known === key && clientId === provider.client.clientId;
  }

  #suppliedBy(
    identity: IssuedIdentity,
    { name, provider }: { readonly name: AccountName; readonly provider: EnterpriseProvider },
  ): GrantSource {
    const key = clientKey(provider);
    const { issuer, client: { clientId } } = provider;
    const open = async (): Promise<GrantSource> => {
      const sources = this.#supplied.get(identity) ?? new Map<string, ProgramGrantSource>();
      this.#supplied.set(identity, sources);
      const grant = await grantKey({ owner: name, issuer, clientId }, this.#options.digest);
      const source = sources.get(key) ?? new ProgramGrantSource({
        identity: guarded(identity),
        key: grant,
        // whom the identity provider names is the program's to know
        subject: { issuer, clientId, ...name, subject: "" },
        newGeneration: freshGeneration,
      });
      sources.set(key, source);
      return source;
    };
    return new LaterGrantSource(open, false);
  }
}

/** The identity with errors of ours: one of the program's may hold a token. */
function guarded(identity: IssuedIdentity): AccountIdentity {
  return {
    tokens: async (signal) => {
      try {
        return await identity.tokens(signal);
      } catch (error) {
        throw failed("Cannot get the tokens of the account: the program did not give them", error);
      }
    },
    rotated: async (refreshToken) => {
      try {
        await identity.rotated(refreshToken);
      } catch (error) {
        throw failed("Cannot go on with the account's new refresh token: the program did not take it", error);
      }
    },
  };
}

function failed(message: string, error: unknown): EnterpriseError {
  if (error instanceof EnterpriseError) return error;
  return new EnterpriseError("TEMPORARILY_UNAVAILABLE", message, {
    reason: "identity",
    cause: redactError(error),
  });
}

/** Name of our client at an identity provider: equal for the same issuer and client id. */
export function clientKey({ issuer, client }: EnterpriseProvider): string {
  return JSON.stringify([issuer, client.clientId]);
}
