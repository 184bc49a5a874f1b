/**
 * Advice on the faults and warnings of a configuration: what to do about each. What each means stands at its code.
 *
 * @module
 */

import type {
  ConfigurationFaultCode,
  ConfigurationWarningCode,
} from "../../../core/configuration/layers/fault.ts";

const POLICY = "`config.toml` in `CODEX_HOME`, the system's or the administrator's";

/** What to do about each fault. */
export const FAULT_ADVICE: { readonly [Code in ConfigurationFaultCode]: string } = {
  FIELD_TYPE: "Write the type that the message names.",
  FIELD_EMPTY: "Give it a value, or take the field out.",
  FIELD_MISSING: "Add the field.",
  NAME_MALFORMED: "Rename it.",
  NAME_TAKEN: "Choose another name: `idp` is that of the provider under `mcp_enterprise_managed_auth.idp`.",
  LAYER_NOT_TRUSTED:
    `Move it to ${POLICY}. A file in a project, or one that others may write, is the project's.`,
  SPLIT_OVER_LAYERS: "Write the whole provider, or the whole `oauth` table, in one file.",
  URL_REFUSED: "Use `https:` without user name and `#`; `http:` is for loopback alone.",
  METHOD_UNKNOWN: "Use `none`, `client_secret_basic`, `client_secret_post` or `private_key_jwt`.",
  METHOD_WITHOUT_SECRET: "Name the `client_secret` or the `private_key`, or choose the method `none`.",
  SECRET_WITHOUT_METHOD: "Take it out, or choose the method that uses it.",
  SECRET_WITHOUT_CLIENT_ID: "Add the `client_id`.",
  SECRET_INLINE: 'Write `{ env = "NAME" }`, `{ keyring = "NAME" }` or `{ stdin = true }` in its place.',
  SECRET_REFERENCE_UNKNOWN: 'Write `{ env = "NAME" }`, `{ keyring = "NAME" }` or `{ stdin = true }`.',
  ISSUER_REQUIRED:
    "Name the issuer whose client this is (`authorization_server_issuer`), so that nobody else gets the " +
    "secret.",
  VALUE_UNKNOWN: "Use one of the values that the message lists.",
  SCOPE_REFUSED: "Correct the scope, or allow it in `allow_scopes`.",
  FEATURE_OFF: `Switch it on: \`use_xaa = true\` under \`[features]\` in ${POLICY}.`,
  SWITCHED_OFF: "Set `enabled = true`, or take the field out.",
  PROVIDER_MISSING: `Configure \`[mcp_enterprise_managed_auth.idp]\` in ${POLICY}.`,
  PROVIDER_UNKNOWN: "Correct `idp`, or configure the provider that it names.",
  PROVIDER_AMBIGUOUS: "Name one of them with `idp`.",
  PROVIDER_REFUSED: "Correct the provider first: it has a fault of its own.",
  AUTH_CONFLICT: 'Set `auth = "ema_auth"`, or take the fields of enterprise authentication out.',
  TRANSPORT_NOT_HTTP: "Give it a `url` in place of `command`: enterprise authentication is for HTTP.",
  CREDENTIALS_CONFLICT:
    "Take the other credentials out: an enterprise server gets its own bearer and nothing else.",
  TRANSPORT_MISSING: "Add a `command` or a `url`.",
  TRANSPORT_CONFLICT: "Keep `command` or `url`, and the fields of that one.",
  TRANSPORT_UNKNOWN: "Use stdio or streamable HTTP.",
  VALUE_MALFORMED: "Take out what cannot be sent: NUL, half a character, a line break in a header field.",
  VALUE_RANGE: "Use a number that is more than 0 and finite.",
  VARIABLE_MISSING: "Set the variable where the host is started, or write a default: `${NAME:-default}`.",
  PLACEHOLDER_UNKNOWN: "Use `${env:NAME}`, `${NAME}`, `${workspaceFolder}` or `${userHome}`.",
  FILE_MALFORMED: "Correct the line that is named. Nothing of the file was read.",
};

/** What to do about each warning. */
export const WARNING_ADVICE: { readonly [Code in ConfigurationWarningCode]: string } = {
  SECRET_INLINE: "Move the secret into a variable or the keyring, and name it here.",
  FIELD_UNKNOWN: "Correct its spelling, or take it out.",
  FIELD_UNSUPPORTED: "Do not rely on it: this host does not act on it.",
  LAYER_IGNORED: `Say it in ${POLICY}, if you decide about it.`,
  CREDENTIALS_IN_CLEAR: "Use `https:`.",
};
