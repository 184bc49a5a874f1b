/**
 * Layers of configuration for tests: a whole one that works, and changes of single fields.
 *
 * @module
 */

import type { ConfigurationLayer, LayerKind } from "../../../../core/configuration/layers/layer.ts";

type Table = Record<string, unknown>;

/** A configuration that works. Made anew at each call. */
export function workingValues(): {
  features: Table;
  mcp_enterprise_managed_auth: { idp?: Table; idps?: Record<string, Table> };
  mcp_servers: Record<string, Table>;
} {
  return {
    features: { use_xaa: true },
    mcp_enterprise_managed_auth: { idp: { issuer: "https://idp.example", client_id: "codex-idp-client" } },
    mcp_servers: {
      tracker: { url: "https://mcp.example/mcp", auth: "ema_auth", oauth: { client_id: "mcp-client" } },
    },
  };
}

/** A layer; Codex's own file unless said otherwise. */
export function layer(
  values: unknown,
  { kind = "user", source = `${kind}.toml`, codexFile = true }: {
    readonly kind?: LayerKind;
    readonly source?: string;
    readonly codexFile?: boolean;
  } = {},
): ConfigurationLayer {
  return { kind, source, values, codexFile };
}

/** A user layer of the working values after `change`. */
export function changed(change: (values: ReturnType<typeof workingValues>) => void): ConfigurationLayer {
  const values = workingValues();
  change(values);
  return layer(values);
}
