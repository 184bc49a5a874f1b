/**
 * One example of every status of an enterprise server, for the table of what each says.
 *
 * @module
 */

import type { ServerStatus } from "../../../core/enterprise/status/status.ts";

type Kind = ServerStatus["kind"];

const LAYER = { kind: "user", source: "config.toml" } as const;

/** The examples: one for each kind, and one for each reason whose sentence differs. */
export const STATUS_EXAMPLES: {
  readonly [One in Kind]: readonly Extract<ServerStatus, { readonly kind: One }>[];
} = {
  "ready": [{ kind: "ready", until: null, extension: "advertised" }],
  "disabled": [
    { kind: "disabled", code: "FEATURE_OFF", field: "features.use_xaa", layer: LAYER },
  ],
  "configuration-rejected": [
    { kind: "configuration-rejected", field: "mcp_enterprise_managed_auth.idp.issuer", layer: LAYER },
  ],
  "configuration-unavailable": [{ kind: "configuration-unavailable" }],
  "keyring-absent": [{ kind: "keyring-absent" }],
  "keyring-locked": [{ kind: "keyring-locked" }],
  "marker-unreadable": [{ kind: "marker-unreadable" }],
  "signed-out": [
    { kind: "signed-out", because: "not-signed-in" },
    { kind: "signed-out", because: "signed-out" },
    { kind: "signed-out", because: "deleted" },
    { kind: "signed-out", because: "refused" },
    { kind: "signed-out", because: "expired" },
  ],
  "stronger-sign-in": [{ kind: "stronger-sign-in" }],
  "reconnect": [
    { kind: "reconnect", because: "account-changed" },
    { kind: "reconnect", because: "bearer-refused" },
  ],
  "moved": [
    { kind: "moved", what: "issuer" },
    { kind: "moved", what: "endpoint" },
    { kind: "moved", what: "authorization-server" },
  ],
  "misconfigured": [{ kind: "misconfigured", leg: "token-exchange" }],
  "identity-refused": [{ kind: "identity-refused" }],
  "administrator-denied": [
    { kind: "administrator-denied", leg: "token-exchange" },
    { kind: "administrator-denied", leg: "redemption" },
  ],
  "assertion-refused": [{ kind: "assertion-refused" }],
  "client-refused": [
    { kind: "client-refused", leg: "token-exchange" },
    { kind: "client-refused", leg: "redemption" },
  ],
  "scope-refused": [{ kind: "scope-refused", leg: "redemption" }],
  "binding-unsupported": [{ kind: "binding-unsupported", leg: "redemption" }],
  "extension-required": [{ kind: "extension-required" }],
  "unavailable": [{ kind: "unavailable" }],
};
