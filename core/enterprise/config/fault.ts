/**
 * What can be wrong with the configuration: a closed union of codes, and for each offence the path of the field and
 * the layer it stands in. A fault never holds the value of the field, which may be a secret.
 *
 * Which rule gives which code is decided in `provider.ts`, `server.ts` and `configuration.ts`.
 *
 * @module
 */

import { quote } from "../../errors.ts";
import { EnterpriseError } from "../error.ts";
import type { LayerName } from "./layer.ts";

/** The rules that a configuration can break. */
export type ConfigurationFaultCode =
  /** A value has another type than the field. */
  | "FIELD_TYPE"
  /** A value is empty. */
  | "FIELD_EMPTY"
  /** A required field is missing. */
  | "FIELD_MISSING"
  /** The name of a server or identity provider holds other characters than letters, digits, `_` and `-`. */
  | "NAME_MALFORMED"
  /** Two identity providers have one name. */
  | "NAME_TAKEN"
  /** A project or a plugin tries to select or to change enterprise authentication. */
  | "LAYER_NOT_TRUSTED"
  /** What must stand whole in one layer is spread over several. */
  | "SPLIT_OVER_LAYERS"
  /** A URL breaks the rules for addresses. */
  | "URL_REFUSED"
  /** The method of client authentication is none that we know. */
  | "METHOD_UNKNOWN"
  /** The method needs a secret or a key, and there is none. */
  | "METHOD_WITHOUT_SECRET"
  /** There is a secret or a key that the method does not use. */
  | "SECRET_WITHOUT_METHOD"
  /** There is a secret, and no client that it belongs to. */
  | "SECRET_WITHOUT_CLIENT_ID"
  /** A secret stands in the file itself, where it may not. */
  | "SECRET_INLINE"
  /** A reference to a secret is none that we know. */
  | "SECRET_REFERENCE_UNKNOWN"
  /** A confidential client without the issuer that its secret is meant for. */
  | "ISSUER_REQUIRED"
  /** The value is none of those that the field may have. */
  | "VALUE_UNKNOWN"
  /** A scope holds characters that no scope may hold, or is not among the allowed ones. */
  | "SCOPE_REFUSED"
  /** The feature `use_xaa` is off. */
  | "FEATURE_OFF"
  /** No identity provider is configured by host policy. */
  | "PROVIDER_MISSING"
  /** The server names an identity provider that is not configured. */
  | "PROVIDER_UNKNOWN"
  /** There are several identity providers, and the server names none. */
  | "PROVIDER_AMBIGUOUS"
  /** The server's identity provider is itself refused. */
  | "PROVIDER_REFUSED"
  /** Fields of enterprise authentication stand beside another `auth`. */
  | "AUTH_CONFLICT"
  /** The server is started as a program. */
  | "TRANSPORT_NOT_HTTP"
  /** Other credentials or header fields are configured for the server. */
  | "CREDENTIALS_CONFLICT";

/** One offence. */
export interface ConfigurationFault {
  /** The rule that is broken. */
  readonly code: ConfigurationFaultCode;
  /** Path of the field, such as `mcp_servers.tracker.oauth.client_id`. */
  readonly field: string;
  /** The layer it stands in; `null` when it stands in none. */
  readonly layer: LayerName | null;
  /** The offence and what to do, for people. */
  readonly message: string;
}

/** Something that is accepted and should be changed. */
export interface ConfigurationWarning {
  /** What it is. */
  readonly code: "SECRET_INLINE" | "FIELD_UNKNOWN";
  /** Path of the field. */
  readonly field: string;
  /** The layer it stands in. */
  readonly layer: LayerName;
  /** What it is and what to do, for people. */
  readonly message: string;
}

/** Where a fault is, and what it says after the field and the layer. */
export interface FaultContext {
  /** Path of the field, step by step. */
  readonly path: readonly string[];
  /** The layer; `null` when the field stands in none. */
  readonly layer: LayerName | null;
  /** The state and what to do, for people. */
  readonly state: string;
}

/** Makes a fault. */
export function faultOf(code: ConfigurationFaultCode, context: FaultContext): ConfigurationFault {
  const field = fieldName(context.path);
  const layer = context.layer === null ? null : { kind: context.layer.kind, source: context.layer.source };
  return { code, field, layer, message: `Cannot use ${placeOf(field, layer)}: ${context.state}` };
}

/** `path` as it is written in TOML, cut where it is not ours. */
export function fieldName(path: readonly string[]): string {
  return path.map((step) => /^[\w-]{1,64}$/.test(step) ? step : quote(step)).join(".");
}

/** A field and its layer, for a sentence. */
export function placeOf(field: string, layer: LayerName | null): string {
  return layer === null ? field : `${field} of ${layer.kind} layer ${quote(layer.source)}`;
}

/** The error that says what `fault` says. */
export function faultError(fault: ConfigurationFault): EnterpriseError {
  return new EnterpriseError("CONFIGURATION_REFUSED", fault.message, {
    reason: fault.code,
    field: fault.field,
  });
}
