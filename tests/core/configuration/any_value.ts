/**
 * Arbitrary values as the parsers of configuration files give them.
 *
 * @module
 */

import fc from "fast-check";
import { anyText } from "../arbitrary_json.ts";

/** A value that no message may hold. */
export const SECRET = "secret-7";

const FIELDS: readonly string[] = [
  "command",
  "args",
  "env",
  "env_vars",
  "cwd",
  "url",
  "auth",
  "oauth",
  "http_headers",
  "headers",
  "type",
  "disabled",
  "enabled",
  "startup_timeout_sec",
  "tool_timeout_sec",
  "enabled_tools",
  "bearer_token",
  "bearer_token_env_var",
  "environment_id",
  "idp",
  "scopes",
  "client_id",
  "name",
  "source",
];

const TEXTS: readonly string[] = [
  SECRET,
  "ema_auth",
  "oauth",
  "https://x.example",
  "node",
  "",
  "${env:A}",
  "${A",
  "${input:b}",
  "local",
  "legacy",
  "sse",
];

/** Anything that TOML or JSON can hold, with the names and texts of servers here and there. */
export const anyValue: fc.Arbitrary<unknown> = fc.letrec((tie) => ({
  value: fc.oneof(
    { maxDepth: 4 },
    fc.oneof(
      fc.constantFrom(...TEXTS),
      anyText,
      fc.double(),
      fc.boolean(),
      fc.bigInt(),
      fc.constant(null),
      fc.date(),
    ),
    fc.array(tie("value"), { maxLength: 3 }),
    fc.dictionary(fc.oneof(fc.constantFrom(...FIELDS), anyText), tie("value"), { maxKeys: 5 }),
  ),
})).value;
