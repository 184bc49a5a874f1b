/**
 * Whether a configuration that a document shows is one: it is parsed, and where it names MCP servers or identity
 * providers our own reader has to accept it. A mark above the block says otherwise:
 *
 * - `configuration: part` shows a part, to be put into a file that has the rest ({@linkcode WHOLE});
 * - `configuration: FEATURE_OFF` shows a mistake, and has to be refused or warned of with exactly these codes;
 * - `configuration: part, SECRET_INLINE` both.
 *
 * @module
 */

import { parseConfiguration } from "../../adapters/configuration/configuration_text.ts";
import { renderFault } from "../../core/configuration/fault_text.ts";
import { readServers } from "../../core/configuration/servers.ts";
import type { Block } from "./document.ts";

/** The tables that our reader looks at. */
const READ: readonly string[] = ["mcp_servers", "mcp_enterprise_managed_auth", "mcpServers", "servers"];

/** What a part is put into: an identity provider, and a server of the name that our documents use. */
export const WHOLE: Readonly<Record<string, unknown>> = {
  features: { use_xaa: true },
  mcp_enterprise_managed_auth: { idp: { issuer: "https://idp.example", client_id: "codex-idp-client" } },
  mcp_servers: {
    tracker: { url: "https://mcp.example/mcp", auth: "ema_auth", oauth: { client_id: "mcp-client" } },
  },
};

/** What is wrong with the block, a sentence without its subject each. */
export async function configurationFlaws({ language, code, mark }: Block): Promise<string[]> {
  const parsed = await parseConfiguration(code, { format: language === "toml" ? "toml" : "json" });
  if (parsed.kind === "malformed") {
    return language === "json" && isJson(code) ? [] : [`cannot be parsed: ${parsed.state}`];
  }
  const { part, codes } = readMark(mark);
  const values = part ? merged(WHOLE, parsed.values) : parsed.values;
  const marked = mark?.startsWith("configuration:") ?? false;
  if (!marked && !isObject(values)) return [];
  if (!marked && !READ.some((name) => isObject(isObject(values) ? values[name] : undefined))) return [];
  const { faults, warnings } = readServers(
    [{
      kind: "user",
      source: "the block",
      values,
      format: parsed.format,
      codexFile: parsed.format === "toml",
    }],
    { environment: new Proxy({}, { get: () => "set" }), workspace: "/home/dev/project", home: "/home/dev" },
  );
  const found = [...faults, ...warnings];
  const unexpected = found.filter((one) => !codes.includes(one.code));
  const missing = codes.filter((one) => found.every(({ code: other }) => one !== other));
  return [
    ...unexpected.map((one) => `is refused or warned of: ${one.code}: ${renderFault(one)}`),
    ...missing.map((one) => `does not lead to ${one}, which its mark announces`),
  ];
}

function readMark(mark: string | null): { readonly part: boolean; readonly codes: readonly string[] } {
  const words = /^configuration:(.*)$/.exec(mark ?? "")?.[1]?.split(",").map((word) => word.trim()) ?? [];
  return { part: words.includes("part"), codes: words.filter((word) => word !== "part" && word !== "") };
}

/** A text that is JSON and no object is no configuration of anybody's, and may be shown. */
function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function merged(below: unknown, above: unknown): unknown {
  if (!isObject(below) || !isObject(above)) return above;
  const names = new Set([...Object.keys(below), ...Object.keys(above)]);
  return Object.fromEntries(
    [...names].map((name) => [name, name in above ? merged(below[name], above[name]) : below[name]]),
  );
}
