/**
 * The metadata of a protected resource: does the document speak about the configured URL, and what does it say.
 * Checked in this order: shape, `resource` present, usable and covering the URL, `authorization_servers`, how the
 * bearer is presented, whether plain bearers are taken at all.
 *
 * Which authorization server is used is decided in `choice.ts`. RFC 9728, 2 and 3.3 (April 2025).
 *
 * @module
 */

import { isJsonObject, ownProperty } from "../../json/value.ts";
import { coversUrl } from "../identifier.ts";
import { issuerFlaw, quoteUrl, urlFlaw, urlFlawText } from "../url.ts";
import { accept, refuse, type Verdict } from "../verdict.ts";
import { capabilityOf, listOf } from "./capability.ts";

/** What the document says. */
export interface ResourceMetadata {
  /** The resource identifier, verbatim. */
  readonly resource: string;
  /** The published issuers that may be asked, verbatim; `null`: the list is absent. */
  readonly authorizationServers: readonly string[] | null;
}

/** Why a document is refused. */
export type ResourceMetadataReason =
  | "malformed"
  | "resource-missing"
  | "resource-unusable"
  | "resource-mismatch"
  | "authorization-servers-malformed"
  | "bearer-method-unsupported"
  | "binding-required";

/** What the document is read for. */
export interface ResourceMetadataOptions {
  /** The configured URL of the MCP server. */
  readonly url: string;
}

/** Reads the document for the server at `url`. */
export function readResourceMetadata(
  document: unknown,
  { url }: ResourceMetadataOptions,
): Verdict<ResourceMetadata, ResourceMetadataReason> {
  const what = `Cannot use the resource metadata of ${quoteUrl(url)}`;
  if (!isJsonObject(document)) return refuse(["malformed", "RFC 9728, 3.2"], `${what}: it is no JSON object`);
  const resource = ownProperty(document, "resource");
  if (typeof resource !== "string" || resource === "") {
    return refuse(["resource-missing", "RFC 9728, 2"], `${what}: it names no resource`);
  }
  const flaw = urlFlaw(resource, { anchor: url });
  if (flaw !== null) {
    return refuse(["resource-unusable", "RFC 8707, 2"], `${what}: its resource: ${urlFlawText(flaw)}`);
  }
  if (!coversUrl(resource, url)) {
    return refuse(
      ["resource-mismatch", "RFC 9728, 3.3"],
      `${what}: it speaks about ${quoteUrl(resource)}, which is neither this URL nor a parent of it`,
    );
  }
  const published = listOf(document, "authorization_servers");
  if (published === undefined) {
    const state = "authorization_servers is no list of strings";
    return refuse(["authorization-servers-malformed", "RFC 9728, 2"], `${what}: ${state}`);
  }
  const header = capabilityOf(document, ["bearer_methods_supported", "header"]);
  if (header === "unsupported" || header === "malformed") {
    const state = "it takes no bearer in the Authorization header";
    return refuse(["bearer-method-unsupported", "RFC 9728, 2"], `${what}: ${state}`);
  }
  for (const name of ["dpop_bound_access_tokens_required", "tls_client_certificate_bound_access_tokens"]) {
    if (ownProperty(document, name) !== true) continue;
    return refuse(
      ["binding-required", "RFC 9728, 2"],
      `${what}: ${name} is true, and bound tokens (DPoP, mTLS) are not supported. Switch it off for this client.`,
    );
  }
  const usable = published?.filter((issuer) => issuerFlaw(issuer, { anchor: url }) === null) ?? null;
  const unusable = published?.find((issuer) => issuerFlaw(issuer, { anchor: url }) !== null);
  return accept(
    { resource, authorizationServers: usable },
    unusable === undefined ? [] : [{
      reason: "authorization-server-unusable",
      message: `The resource metadata of ${quoteUrl(url)} publishes ${quoteUrl(unusable)}, which is left out`,
    }],
  );
}
