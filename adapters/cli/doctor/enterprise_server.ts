/**
 * Whether a server with enterprise-managed authorization can be reached, and its two documents can be used: the
 * metadata of the resource and of the authorization server. Nothing secret is sent.
 *
 * Places and checks are `adapters/http/discovery/discovery.ts`'s. RFC 9728, 3; RFC 8414, 3; ID-JAG (draft -04), 7.2.
 *
 * @module
 */

import type { EnterpriseServer } from "../../../core/enterprise/config/server.ts";
import type { ResourceMetadata } from "../../../core/enterprise/discovery/resource_metadata.ts";
import { resourceMetadataUrls, serverMetadataUrls } from "../../../core/enterprise/discovery/well_known.ts";
import { quoteUrl } from "../../../core/enterprise/url.ts";
import type { HttpPort } from "../../../core/ports/http.ts";
import { checkSecret, methodText } from "./client.ts";
import { checkEndpoint } from "./endpoint.ts";
import { failedFinding } from "./failed_finding.ts";
import type { Finding } from "./finding.ts";
import { profileText, type RemoteCheck } from "./provider.ts";

/** What the check works with. */
export interface EnterpriseServerCheck extends RemoteCheck {
  /** Sends requests. */
  readonly http: HttpPort;
}

/** Looks at the server, then at each document. */
export async function checkEnterpriseServer(
  server: EnterpriseServer,
  check: EnterpriseServerCheck,
): Promise<readonly Finding[]> {
  const [endpoint, resource] = await Promise.all([
    checkEndpoint(server, check),
    checkResource(server, check),
  ]);
  const { published } = resource;
  const { name: subject, client } = server;
  const secret = await checkSecret(client, { ...check, subject, field: `mcp_servers.${subject}.oauth` });
  const issuer = await checkAuthorizationServer(server, { ...check, published });
  return [endpoint, ...secret, resource.finding, issuer];
}

/** What the resource publishes; `"unknown"`: its document cannot be had. */
type Published = ResourceMetadata["authorizationServers"] | "unknown";

async function checkResource(
  server: EnterpriseServer,
  { discovery, signal }: RemoteCheck,
): Promise<{ readonly finding: Finding; readonly published: Published }> {
  const about = { id: "resource", subject: server.name };
  try {
    const { value } = await discovery.resource(server, { signal });
    const count = value.authorizationServers?.length ?? 0;
    const found = `the server publishes its metadata as ${quoteUrl(value.resource)}, ` +
      (count === 1 ? "with one authorization server" : `with ${count} authorization servers`);
    return { finding: { ...about, status: "ok", found }, published: value.authorizationServers };
  } catch (error) {
    const places = resourceMetadataUrls(server.url).map((url) => quoteUrl(url));
    const finding = failedFinding(error, { ...about, field: `mcp_servers.${server.name}.url`, places });
    return { finding, published: "unknown" };
  }
}

async function checkAuthorizationServer(
  server: EnterpriseServer,
  { discovery, signal, published }: RemoteCheck & { readonly published: Published },
): Promise<Finding> {
  const about = { id: "authorization-server", subject: server.name };
  // the configured one can be looked at even when the resource does not say whether it is the right one
  if (published === "unknown" && server.authorizationServer === null) {
    return { ...about, status: "skipped", found: "needs the metadata of the resource" };
  }
  try {
    const listed = published === "unknown" ? null : published;
    const { value } = await discovery.authorizationServer(server, { published: listed, signal });
    const said = methodText(server.client, value);
    const found = `${quoteUrl(value.issuer)} publishes its metadata; ${profileText(value)}; ${said}`;
    return { ...about, status: "ok", found };
  } catch (error) {
    const { authorizationServer: issuer } = server;
    const field = `mcp_servers.${server.name}.oauth`;
    if (issuer === null) return failedFinding(error, { ...about, field });
    const places = serverMetadataUrls(issuer).map((url) => quoteUrl(url));
    return failedFinding(error, { ...about, field: `${field}.authorization_server_issuer`, places });
  }
}
