/**
 * What can be wrong with the configuration: a closed union of codes, and for each offence the path of the field and
 * the layer it stands in. A fault never holds the value of the field, which may be a secret.
 *
 * Which rule gives which code is decided in `core/enterprise/config/provider.ts`, `core/enterprise/config/server.ts`
 * and `core/enterprise/config/configuration.ts`, and for servers without enterprise authentication in
 * `core/configuration`.
 *
 * @module
 */

import { EnterpriseError } from "../../enterprise/error.ts";
import { quote } from "../../errors.ts";
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
  /** The server is configured with `enabled = false`. A host that runs counts it among the disabled ones. */
  | "SWITCHED_OFF"
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
  | "CREDENTIALS_CONFLICT"
  /** The server has neither a program nor a URL. */
  | "TRANSPORT_MISSING"
  /** The server has a program and a URL, or a field that its transport does not have. */
  | "TRANSPORT_CONFLICT"
  /** The server names a transport that is not spoken here. */
  | "TRANSPORT_UNKNOWN"
  /** A text holds characters that cannot be sent or passed on. */
  | "VALUE_MALFORMED"
  /** A number is too small, too large or none. */
  | "VALUE_RANGE"
  /** A placeholder names a variable that is not set. */
  | "VARIABLE_MISSING"
  /** A placeholder is none that is known here. */
  | "PLACEHOLDER_UNKNOWN"
  /** The file is not what its format allows, so that nothing in it was read. */
  | "FILE_MALFORMED";

/** One offence. */
export interface ConfigurationFault {
  /** The rule that is broken. */
  readonly code: ConfigurationFaultCode;
  /** Path of the field, such as `mcp_servers.tracker.oauth.client_id`, as it may be shown. */
  readonly field: string;
  /** The same path, step by step and uncut. */
  readonly path: readonly string[];
  /** The layer it stands in; `null` when it stands in none. */
  readonly layer: LayerName | null;
  /** Line of the field in its file, from 1, or of the nearest table around it; absent: not known. */
  readonly line?: number;
  /** The offence and what to do, for people. */
  readonly message: string;
}

/** What can be accepted and should be changed. */
export type ConfigurationWarningCode =
  /** A secret stands in the file itself. */
  | "SECRET_INLINE"
  /** A field that nobody here knows. */
  | "FIELD_UNKNOWN"
  /** A field that is known, and that this host does not act on although it matters. */
  | "FIELD_UNSUPPORTED"
  /** A project or a plugin changes a server of host policy: what it says is not used. */
  | "LAYER_IGNORED"
  /** Credentials go over plain http to another machine. */
  | "CREDENTIALS_IN_CLEAR";

/** Something that is accepted and should be changed. */
export interface ConfigurationWarning {
  /** What it is. */
  readonly code: ConfigurationWarningCode;
  /** Path of the field, as it may be shown. */
  readonly field: string;
  /** The same path, step by step and uncut. */
  readonly path: readonly string[];
  /** The layer it stands in. */
  readonly layer: LayerName;
  /** Line of the field in its file, from 1, or of the nearest table around it; absent: not known. */
  readonly line?: number;
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
  const message = `Cannot use ${placeOf(field, layer)}: ${context.state}`;
  return { code, field, path: [...context.path], layer, message };
}

/** Makes a warning; `text` gets the field and its layer, for a sentence. */
export function warningOf(
  code: ConfigurationWarningCode,
  { path, layer: { kind, source }, text }: {
    readonly path: readonly string[];
    readonly layer: LayerName;
    readonly text: (place: string) => string;
  },
): ConfigurationWarning {
  const field = fieldName(path);
  const layer = { kind, source };
  return { code, field, path: [...path], layer, message: text(placeOf(field, layer)) };
}

/** `path` as it is written in TOML, cut where it is not ours. */
export function fieldName(path: readonly string[]): string {
  return path.map((step) => /^[\w-]{1,64}$/.test(step) ? step : quote(step)).join(".");
}

/** A field and its layer, for a sentence. */
export function placeOf(field: string, layer: LayerName | null): string {
  if (layer === null) return field;
  const whole = `${layer.kind} layer ${quote(layer.source)}`;
  return field === "" ? whole : `${field} of ${whole}`;
}

/** The error that says what `fault` says. */
export function faultError(fault: ConfigurationFault): EnterpriseError {
  return new EnterpriseError("CONFIGURATION_REFUSED", fault.message, {
    reason: fault.code,
    field: fault.field,
  });
}
