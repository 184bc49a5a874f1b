/**
 * A configuration for tests of commands that ask nobody: its identity provider does not exist.
 *
 * @module
 */

/** One provider, one server that uses it. */
export const POLICY: string = `[features]
use_xaa = true
[mcp_enterprise_managed_auth.idp]
issuer = "https://idp.invalid"
client_id = "codex"
[mcp_servers.tracker]
url = "https://mcp.invalid/mcp"
auth = "ema_auth"
oauth = { client_id = "mcp" }
`;

/** The same with a second provider and servers that are off, refused, and the second provider's. */
export const MANY: string = `${POLICY}
[mcp_enterprise_managed_auth.idps.globex]
issuer = "https://globex.invalid"
client_id = "codex"
[mcp_servers.wiki]
url = "https://wiki.invalid/mcp"
auth = "ema_auth"
idp = "globex"
oauth = { client_id = "mcp" }
[mcp_servers.off]
url = "https://off.invalid/mcp"
auth = "ema_auth"
idp = "globex"
enabled = false
oauth = { client_id = "mcp" }
[mcp_servers.broken]
url = "http://broken.invalid/mcp"
auth = "ema_auth"
idp = "globex"
oauth = { client_id = "mcp" }
`.replace('auth = "ema_auth"\noauth', 'auth = "ema_auth"\nidp = "default"\noauth');
