/**
 * Whether an identity provider can be reached, publishes metadata that can be used, and supports what is asked of it.
 * Nothing secret is sent.
 *
 * Places and checks are `adapters/http/discovery/discovery.ts`'s. OpenID Connect Discovery 1.0, 4; ID-JAG (draft
 * -04), 7.1.
 *
 * @module
 */

import { DEFAULT_PROVIDER, type EnterpriseProvider } from "../../../core/enterprise/config/provider.ts";
import type { ServerMetadata } from "../../../core/enterprise/discovery/server_metadata.ts";
import { serverMetadataUrls } from "../../../core/enterprise/discovery/well_known.ts";
import { quoteUrl } from "../../../core/enterprise/url.ts";
import type { SecretReader } from "../../http/client/secret_reader.ts";
import type { Discovery } from "../../http/discovery/discovery.ts";
import { checkSecret, methodText } from "./client.ts";
import { failedFinding } from "./failed_finding.ts";
import type { Finding } from "./finding.ts";

/** What a check of another side works with. */
export interface RemoteCheck {
  /** Finds documents. */
  readonly discovery: Discovery;
  /** Reads secrets of the configuration. */
  readonly readSecret: SecretReader;
  /** Ends it. */
  readonly signal: AbortSignal;
}

/** Looks at the provider. */
export async function checkProvider(
  provider: EnterpriseProvider,
  { discovery, readSecret, signal }: RemoteCheck,
): Promise<readonly Finding[]> {
  const { name, issuer, client } = provider;
  const about = { id: "idp", subject: name };
  const table = name === DEFAULT_PROVIDER ? "idp" : `idps.${name}`;
  const field = `mcp_enterprise_managed_auth.${table}`;
  const secret = await checkSecret(client, { subject: name, field, readSecret, signal });
  try {
    const { value: metadata } = await discovery.provider(provider, { signal });
    const said = methodText(client, metadata);
    const found = `${quoteUrl(issuer)} publishes its metadata; ${profileText(metadata)}; ` +
      `${said}; a sign-in is possible ${waysText(metadata)}`;
    return [...secret, { ...about, status: "ok", found }];
  } catch (error) {
    const places = serverMetadataUrls(issuer).map((url) => quoteUrl(url));
    return [...secret, failedFinding(error, { ...about, field: `${field}.issuer`, places })];
  }
}

/** What a server says about ID-JAG. */
export function profileText({ profile }: Pick<ServerMetadata, "profile">): string {
  return profile === "supported" ? "it supports ID-JAG" : "whether it supports ID-JAG it does not say";
}

function waysText({ authorizationEndpoint, deviceEndpoint }: ServerMetadata): string {
  const ways = [
    ...authorizationEndpoint === null ? [] : ["in the browser"],
    ...deviceEndpoint === null ? [] : ["on another device"],
  ];
  return ways.join(" and ") || "with a token that is brought along alone";
}
