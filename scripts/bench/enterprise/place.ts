/**
 * Where both sides of the enterprise rows go: a test bed with one sign-in, and what a program has to know of it. The
 * knowledge is plain JSON, so that a program in a process of its own can be given it.
 *
 * @module
 */

import type { GrantRecord } from "../../../core/enterprise/grant/record.ts";
import { type EnterpriseBed, startEnterpriseBed } from "../../../tests/fixtures/enterprise/mod.ts";
import { configurationOf, recordOf } from "../../../tests/real/enterprise/tokens/host.ts";

/** A client at one of the servers. */
export interface PlaceClient {
  readonly id: string;
  /** Its secret; `null`: it is public. */
  readonly secret: string | null;
}

/** What a program knows. All of it is worth nothing outside of the bed. */
export interface Place {
  /** URL of the MCP server. */
  readonly url: string;
  readonly idpIssuer: string;
  /** The authorization server. */
  readonly asIssuer: string;
  /** Whether programs are not told `asIssuer`, and have to discover it. */
  readonly discovered: boolean;
  /** Our client at the identity provider. */
  readonly idpClient: PlaceClient;
  /** Our client at the authorization server. */
  readonly asClient: PlaceClient;
  /** The sign-in, as it is stored. */
  readonly record: GrantRecord;
}

/** A bed and what programs know of it. */
export interface OpenPlace {
  readonly bed: EnterpriseBed;
  readonly place: Place;
}

/**
 * Starts a bed whose clients authenticate as the SDK's provider can, and signs in there. Where the authorization server
 * is discovered, the client there is public: a secret needs to know whose it is.
 */
export async function openPlace(
  { discovered = false }: Partial<Pick<Place, "discovered">> = {},
): Promise<OpenPlace> {
  const bed = await startEnterpriseBed({
    idpMethod: "client_secret_post",
    resourceMethod: discovered ? "none" : "client_secret_post",
  });
  const [provider] = configurationOf(bed).providers;
  if (provider === undefined) throw new Error("Cannot read the bed's own configuration");
  return {
    bed,
    place: {
      url: bed.mcp.url,
      idpIssuer: bed.idp.issuer,
      asIssuer: bed.as.issuer,
      discovered,
      idpClient: { id: bed.idp.client.id, secret: bed.idp.client.secret },
      asClient: { id: bed.as.client.id, secret: bed.as.client.secret },
      record: await recordOf(bed, { account: "alice", provider }),
    },
  };
}
