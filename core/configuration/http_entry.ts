/**
 * The fields of a server that is reached over streamable HTTP.
 *
 * How its credentials are sent is decided where it is connected to; enterprise servers are read in
 * `core/enterprise/config`. Names and types are those of the Codex CLI 0.171.0; what it accepts and no request can
 * carry (a malformed URL, a user name in it, a line break in a header field) is refused.
 *
 * @module
 */

import { AUTH_CHOICES } from "../enterprise/config/server_layers.ts";
import { isLoopbackUrl } from "../enterprise/url.ts";
import type { HttpEntry, ServerSettings } from "./entry.ts";
import { choiceField, isVariableName, tableField, textField } from "./field.ts";
import { hasField, type MergedServer, refuse, warn } from "./merged_server.ts";
import { STDIO_FIELDS } from "./settings.ts";

/** Longest URL that is accepted, in characters. */
const MAX_URL_LENGTH = 4096;

/** Reads the entry; `null` when a fault, which is then among the findings, makes it unusable. */
export function readHttpEntry(server: MergedServer, settings: ServerSettings): HttpEntry | null {
  const before = server.findings.faults.length;
  for (const field of STDIO_FIELDS.filter((one) => hasField(server, one))) {
    refuse(server, [
      "TRANSPORT_CONFLICT",
      [field],
      "it belongs to a server with a command, and this one has a url.",
    ]);
  }
  const url = readUrl(server);
  if (hasField(server, "bearer_token")) {
    refuse(server, [
      "SECRET_INLINE",
      ["bearer_token"],
      "a bearer must not stand in the file. Put it into a variable and name that with bearer_token_env_var.",
    ]);
  }
  const entry = {
    bearerTokenEnvVar: readVariable(server, "bearer_token_env_var"),
    headers: readHeaders(server, "http_headers"),
    envHeaders: readHeaders(server, "env_http_headers"),
    auth: choiceField(server, "auth", { choices: ["oauth", "chatgpt"], told: AUTH_CHOICES }),
  };
  if (hasField(server, "http_headers_helper")) {
    warn(server, [
      "FIELD_UNSUPPORTED",
      "http_headers_helper",
      (place) => `The program ${place} is not run: requests go without the header fields that it would give.`,
    ]);
  }
  if (url === null || server.findings.faults.length > before) return null;
  const read: HttpEntry = { ...settings, kind: "http", url, ...entry };
  if (holdsCredentials(read) && url.toLowerCase().startsWith("http:") && !isLoopbackUrl(url)) {
    warn(server, [
      "CREDENTIALS_IN_CLEAR",
      "url",
      (place) => `The credentials for ${place} go over plain http, where others can read them. Use https.`,
    ]);
  }
  return read;
}

function readUrl(server: MergedServer): string | null {
  const url = textField(server, "url");
  if (url === null) return null;
  const state = urlState(url);
  if (state === null) return url;
  refuse(server, ["URL_REFUSED", ["url"], state]);
  return null;
}

/** What is wrong with a URL; `null` when nothing is. */
function urlState(url: string): string | null {
  // the parser drops tabs and line ends, and trims
  // deno-lint-ignore no-control-regex
  const spelt = url.length <= MAX_URL_LENGTH && !/[\x00-\x20\x7f-\xa0\\]/.test(url) && URL.canParse(url);
  if (!spelt) return "it is not an absolute URL.";
  const { protocol, username, password } = new URL(url);
  if (protocol !== "https:" && protocol !== "http:") return "it must be https or http.";
  if (username !== "" || password !== "") {
    return "it must not hold a user name or password. Use http_headers or env_http_headers.";
  }
  return null;
}

function readVariable(server: MergedServer, field: string): string | null {
  const name = textField(server, field);
  if (name === null || isVariableName(name)) return name;
  refuse(server, ["VALUE_MALFORMED", [field], "no variable can have this name."]);
  return null;
}

function readHeaders(
  server: MergedServer,
  field: "http_headers" | "env_http_headers",
): Readonly<Record<string, string>> {
  const headers = tableField(server, field) ?? {};
  for (const [name, value] of Object.entries(headers)) {
    if (!/^[\w!#$%&'*+.^`|~-]+$/.test(name)) {
      // the name is not shown: who writes "Name: value" there has written a secret
      refuse(server, ["VALUE_MALFORMED", [field], "a name is none that a header field can have."]);
    } else if (
      field === "env_http_headers" ? !isVariableName(value) : !/^[\t\x20-\x7e\x80-\xff]*$/.test(value)
    ) {
      const state = field === "env_http_headers"
        ? "no variable can have this name."
        : "no header field can have this value.";
      refuse(server, ["VALUE_MALFORMED", [field, name], state]);
    }
  }
  return headers;
}

function holdsCredentials({ bearerTokenEnvVar, headers, envHeaders }: HttpEntry): boolean {
  const secret = /^(proxy-)?authorization$|^cookie$|key|token|secret/i;
  return bearerTokenEnvVar !== null || Object.keys(envHeaders).length > 0 ||
    Object.keys(headers).some((name) => secret.test(name));
}
