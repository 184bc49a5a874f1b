import { test } from "node:test";
import { assertEquals, assertMatch, assertNotEquals, assertRejects } from "@std/assert";
import { readConfiguration } from "../../../../core/enterprise/config/configuration.ts";
import { EnterpriseError } from "../../../../core/enterprise/error.ts";
import {
  grantKey,
  providerKey,
  type Registration,
  registrationFingerprint,
} from "../../../../core/enterprise/grant/key.ts";
import { changed } from "../config/layers.ts";
import { SHA256 } from "../tokens.ts";

const subject = { owner: { user: "u", workspace: "w" }, issuer: "https://idp.example", clientId: "c" };

test("grantKey: every part counts, and none runs into the next", async () => {
  const key = await grantKey(subject, SHA256);
  assertMatch(key, /^[0-9a-f]{64}$/);
  const others = [
    { ...subject, owner: { user: "uw", workspace: "" } },
    { ...subject, owner: { user: "u", workspace: "" } },
    { ...subject, owner: { user: "u", workspace: null } },
    { ...subject, owner: { user: "w", workspace: "u" } },
    { ...subject, issuer: "https://idp.example/" },
    { ...subject, issuer: "https://idp.examplec", clientId: "" },
    { ...subject, clientId: "C" },
  ];
  const keys = await Promise.all([subject, ...others].map((one) => grantKey(one, SHA256)));
  assertEquals(new Set(keys).size, keys.length);
  assertEquals(keys[0], key);
  assertNotEquals(
    await providerKey(subject, SHA256),
    await providerKey({ ...subject, clientId: "d" }, SHA256),
  );
});

test("grantKey: a digest of another size is refused", async () => {
  const digest = { sha256: () => Promise.resolve(new Uint8Array(20)) };
  const error = await assertRejects(() => grantKey(subject, digest), EnterpriseError);
  assertEquals(error.code, "RANDOM_MALFORMED");
});

function registration(change: Parameters<typeof changed>[0]): Registration {
  const { servers: [server], providers: [provider], faults } = readConfiguration([changed(change)]);
  if (server === undefined || provider === undefined) {
    throw new Error(faults.map(({ message }) => message).join());
  }
  return { server, provider };
}

test("registrationFingerprint: whatever decides where a server is and who speaks to it", async () => {
  const issuer = "https://as.example";
  const oauth = { client_id: "mcp-client", authorization_server_issuer: issuer };
  const set = (field: string, value: unknown) =>
    registration((v) => Object.assign(v.mcp_servers["tracker"]!, { oauth, [field]: value }));
  const idp = (field: string, value: unknown) =>
    registration((v) => {
      Object.assign(v.mcp_servers["tracker"]!, { oauth });
      Object.assign(v.mcp_enterprise_managed_auth.idp!, { [field]: value });
    });
  const secret = { env: "A" };
  const base = set("enabled", true);
  const registrations = [
    base,
    set("url", "https://mcp.example/mcp/"),
    set("scopes", ["a"]),
    set("scopes", []),
    set("scopes", ["a", "b"]),
    set("allow_scopes", ["a"]),
    set("oauth_resource", "https://mcp.example"),
    set("require_extension", true),
    set("allow_missing_resource", true),
    set("subject_token", "id_token"),
    set("oauth", { ...oauth, client_id: "other" }),
    set("oauth", { ...oauth, authorization_server_issuer: `${issuer}/` }),
    set("oauth", { ...oauth, token_endpoint: `${issuer}/t` }),
    set("oauth", { ...oauth, revocation_endpoint: `${issuer}/t` }),
    set("oauth", { ...oauth, client_secret: secret }),
    set("oauth", { ...oauth, client_secret: { env: "B" } }),
    set("oauth", { ...oauth, client_secret: { keyring: "A" } }),
    set("oauth", { ...oauth, client_secret: { stdin: true } }),
    set("oauth", { ...oauth, private_key: secret }),
    set("oauth", { ...oauth, client_secret: secret, token_endpoint_auth_method: "client_secret_post" }),
    idp("issuer", "https://idp.example/"),
    idp("client_id", "other"),
    idp("client_secret", secret),
    idp("token_endpoint", "https://idp.example/t"),
    idp("revocation_endpoint", "https://idp.example/t"),
    idp("device_authorization_endpoint", "https://idp.example/t"),
    { ...base, server: { ...base.server, layer: { kind: "system", source: "user.toml" } } },
    { ...base, server: { ...base.server, layer: { kind: "user", source: "elsewhere" } } },
    { ...base, provider: { ...base.provider, layer: { kind: "system", source: "user.toml" } } },
    { ...base, provider: { ...base.provider, layer: { kind: "user", source: "elsewhere" } } },
  ] as const;
  const prints = await Promise.all(registrations.map((one) => registrationFingerprint(one, SHA256)));
  assertEquals(new Set(prints).size, prints.length);
  const again = await registrationFingerprint(set("scopes", ["b", "a"]), SHA256);
  assertEquals(again, prints[4]);
});
