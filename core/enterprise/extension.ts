/**
 * The extension `io.modelcontextprotocol/enterprise-managed-authorization`: what a client declares in each request,
 * and what a server's answer means.
 *
 * A server that says nothing is unknown and works: legacy servers have no place to say it. Only a configuration
 * that requires the extension refuses it. MCP EMA (stable), 6; MCP 2026-07-28, extensions.
 *
 * @module
 */

import { isJsonObject, type JsonObject, type JsonValue, ownProperty } from "../json/value.ts";

/** Identifier of the extension. */
export const ENTERPRISE_EXTENSION = "io.modelcontextprotocol/enterprise-managed-authorization";

/** Key of the client's capabilities in a request's `_meta`. */
export const CLIENT_CAPABILITIES_KEY = "io.modelcontextprotocol/clientCapabilities";

/** First revision of MCP in which capabilities name extensions. */
export const EXTENSIONS_SINCE = "2026-07-28";

/**
 * `capabilities` with the extension declared beside what is already there, extensions of others included. Gives a
 * new value; what is no object is left out. Used for the `initialize` request of older revisions, and by
 * {@linkcode declareEnterpriseExtension} for each request.
 */
export function withEnterpriseExtension(capabilities?: unknown): JsonObject {
  const declared = isJsonObject(capabilities) ? capabilities : {};
  const extensions = ownProperty(declared, "extensions");
  const others = isJsonObject(extensions) ? extensions : {};
  const settings = ownProperty(others, ENTERPRISE_EXTENSION);
  return {
    ...declared,
    extensions: { ...others, [ENTERPRISE_EXTENSION]: isJsonObject(settings) ? settings : {} },
  } as JsonObject;
}

/**
 * `meta` with the extension declared in its client capabilities: every request of revision 2026-07-28 carries them.
 *
 * @example
 * ```ts
 * import { declareEnterpriseExtension } from "./extension.ts";
 *
 * console.log(Object.keys(declareEnterpriseExtension({ progressToken: 1 })));
 * // [ "progressToken", "io.modelcontextprotocol/clientCapabilities" ]
 * ```
 */
export function declareEnterpriseExtension(meta?: unknown): JsonObject {
  const members: Readonly<Record<string, unknown>> = isJsonObject(meta) ? meta : {};
  const capabilities = withEnterpriseExtension(ownProperty(members, CLIENT_CAPABILITIES_KEY));
  return { ...members, [CLIENT_CAPABILITIES_KEY]: capabilities } as Record<string, JsonValue>;
}

/** What a server's answer says about the extension. */
export type ExtensionVerdict =
  /** The server names it. */
  | "advertised"
  /** The server does not name it, or speaks a revision that cannot. It works, and status says so. */
  | "unknown"
  /** The configuration requires it, and the server does not name it. The server is refused. */
  | "required";

/** What is known of a server. */
export interface ExtensionFacts {
  /** The capabilities that the server announced; anything else than an object names nothing. */
  readonly capabilities: unknown;
  /** The revision that was agreed, such as `"2026-07-28"`. */
  readonly protocolVersion: string;
  /** Whether the configuration requires the extension. */
  readonly required: boolean;
}

/** Judges a server's capabilities. What a server of a revision without extensions names is not looked at. */
export function judgeExtension(
  { capabilities, protocolVersion, required }: ExtensionFacts,
): ExtensionVerdict {
  const named = ownProperty(ownProperty(capabilities, "extensions"), ENTERPRISE_EXTENSION);
  const able = /^\d{4}-\d{2}-\d{2}$/.test(protocolVersion) && protocolVersion >= EXTENSIONS_SINCE;
  if (able && isJsonObject(named)) return "advertised";
  return required ? "required" : "unknown";
}
