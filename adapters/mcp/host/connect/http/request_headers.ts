/**
 * The header fields that the configuration of an HTTP server gives to its requests, and what keeps them from being
 * sent. Values are never quoted: they are credentials.
 *
 * `http_headers` first, then `env_http_headers`, then the bearer, each over the one before. An `env_http_headers`
 * variable that is not set, or empty, leaves its field out, as Codex does; a bearer's has to be set.
 *
 * @module
 */

import type { HttpEntry } from "../../../../../core/configuration/entry.ts";
import { quote } from "../../../../../core/errors.ts";

/** What is sent, and what could not be. */
export interface RequestHeaders {
  /** The fields, names in lower case. */
  readonly fields: Readonly<Record<string, string>>;
  /** Names of variables of header fields that are not set. */
  readonly missing: readonly string[];
}

/** Why nothing can be sent. */
export interface HeaderRefusal {
  /** What kind of failure it is. */
  readonly reason: "variable" | "header";
  /** What is wrong, to follow the name of the server in a sentence. */
  readonly flaw: string;
}

/** RFC 9110, 5.6.2: a token. */
const NAME = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/;

/** RFC 9110, 5.5: printable bytes, spaces and tabs; a value of other characters cannot be sent at all. */
const VALUE = /^[\t\u0020-\u007e\u0080-\u00ff]*$/;

/** Fields that belong to the transport. */
const OWNED: ReadonlySet<string> = new Set([
  ...["accept", "connection", "content-length", "content-type", "host", "last-event-id", "transfer-encoding"],
  ...["mcp-method", "mcp-name", "mcp-protocol-version", "mcp-session-id"],
]);

/** The header fields of a server's requests, or why there are none. */
export function requestHeaders(
  entry: Pick<HttpEntry, "headers" | "envHeaders" | "bearerTokenEnvVar">,
  environment: Readonly<Record<string, string | undefined>>,
): RequestHeaders | HeaderRefusal {
  // a variable may have the name of a member of every object, such as constructor
  const valueOf = (name: string): string => Object.hasOwn(environment, name) ? environment[name] ?? "" : "";
  const fields = new Map<string, string>();
  const missing: string[] = [];
  const given = Object.entries(entry.headers).map(([name, value]) => ({ name, value, from: "http_headers" }));
  const found = Object.entries(entry.envHeaders).flatMap(([name, variable]) => {
    const value = valueOf(variable);
    if (value === "") missing.push(variable);
    return value === "" ? [] : [{ name, value, from: `the variable ${quote(variable)}` }];
  });
  for (const { name, value, from } of [...given, ...found]) {
    if (!NAME.test(name)) return refuse(`the header name ${quote(name)} cannot be sent`);
    if (OWNED.has(name.toLowerCase())) {
      return refuse(`the header ${quote(name)} belongs to the protocol and cannot be set`);
    }
    if (!VALUE.test(value)) return refuse(unusable(`the header ${quote(name)}`, from));
    fields.set(name.toLowerCase(), value);
  }
  const variable = entry.bearerTokenEnvVar;
  if (variable !== null) {
    const bearer = valueOf(variable);
    if (bearer === "") {
      const state = `the variable ${quote(variable)}, which holds its bearer token, is not set`;
      return refuse(state, "variable");
    }
    if (!VALUE.test(bearer)) {
      return refuse(unusable("the bearer token", `the variable ${quote(variable)}`));
    }
    fields.set("authorization", `Bearer ${bearer}`);
  }
  return { fields: Object.fromEntries(fields), missing };
}

function unusable(what: string, from: string): string {
  return `the value of ${what}, from ${from}, holds a line break or another character that cannot be sent`;
}

function refuse(flaw: string, reason: HeaderRefusal["reason"] = "header"): HeaderRefusal {
  return { reason, flaw };
}
