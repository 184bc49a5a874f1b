/**
 * Parses a configuration file of Codex. The parser is loaded when a file is there to be read. Its errors quote the
 * lines around a mistake, which may hold a secret, so that only the place of the mistake is told.
 *
 * What the values mean is decided in `core/enterprise/config`.
 *
 * @module
 */

import { EnterpriseError } from "../../../core/enterprise/error.ts";
import { quote } from "../../../core/errors.ts";

/**
 * The values in `text`, which stands in the file `source`. Integers that JavaScript cannot hold are `bigint`s.
 *
 * @throws {EnterpriseError} `CONFIGURATION_REFUSED` when `text` is no TOML 1.0.
 */
export async function parseToml(text: string, source: string): Promise<unknown> {
  const { parse, TomlError } = await import("smol-toml");
  try {
    return parse(text, { integersAsBigInt: "asNeeded" });
  } catch (error) {
    const place = error instanceof TomlError ? ` (line ${error.line}, column ${error.column})` : "";
    throw new EnterpriseError(
      "CONFIGURATION_REFUSED",
      `Cannot read the configuration ${quote(source)}: it is no TOML${place}. Correct it.`,
      { reason: "TOML_MALFORMED" },
    );
  }
}
