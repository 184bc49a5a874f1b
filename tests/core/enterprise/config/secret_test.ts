import { test } from "node:test";
import { assertEquals } from "@std/assert";
import { inlineSecret, parseSecret } from "../../../../core/enterprise/config/secret.ts";
import { readConfiguration } from "../../../../core/enterprise/config/configuration.ts";
import { changed, layer, workingValues } from "./layers.ts";

const SECRET = "s3cr3t-Of-The-Test";
const path = ["idp", "client_secret"];

test("parseSecret: the references that there are", () => {
  const parse = (value: unknown) => parseSecret(value, { layer: layer({}), path });
  assertEquals(parse({ keyring: "a b" }).reference, { kind: "keyring", name: "a b" });
  assertEquals(parse({ env: "NAME_1" }).reference, { kind: "environment", name: "NAME_1" });
  assertEquals(parse({ stdin: true }).reference, { kind: "stdin" });
  const unknown = [
    { stdin: false },
    {},
    { env: "1A" },
    { env: "" },
    { env: "A", keyring: "B" },
    { x: "y" },
    7,
    null,
    [],
  ];
  for (const value of unknown) assertEquals(parse(value).refused?.[0], "SECRET_REFERENCE_UNKNOWN");
  assertEquals(parse("").refused?.[0], "FIELD_EMPTY");
});

test("parseSecret: inline only in a trusted layer of Codex's own file", () => {
  for (const kind of ["system", "administrator", "user", "project", "plugin"] as const) {
    for (const codexFile of [true, false]) {
      const where = layer({}, { kind, codexFile });
      const { reference, refused } = parseSecret(SECRET, { layer: where, path });
      if (codexFile && kind !== "project" && kind !== "plugin") {
        assertEquals(reference, { kind: "inline", source: `${kind}.toml`, path });
      } else assertEquals(refused?.[0], "SECRET_INLINE");
    }
  }
});

test("inlineSecret: read at its place when it is needed, from nowhere else", () => {
  const reference = { kind: "inline", source: "user.toml", path } as const;
  const values = { idp: { client_secret: SECRET } };
  assertEquals(inlineSecret([layer(values)], reference), SECRET);
  assertEquals(inlineSecret([layer(values, { source: "other" })], reference), null);
  assertEquals(inlineSecret([layer(values, { kind: "project", source: "user.toml" })], reference), null);
  assertEquals(inlineSecret([layer(values, { codexFile: false })], reference), null);
  assertEquals(inlineSecret([layer({ idp: {} })], reference), null);
  assertEquals(inlineSecret([layer(values)], { kind: "environment", name: "A" }), null);
});

test("a secret is in no value, fault or warning that comes out of the configuration", () => {
  const oauth = { client_id: "c", client_secret: SECRET, authorization_server_issuer: "https://as.example" };
  const trusted = changed((v) => {
    v.mcp_enterprise_managed_auth.idp!["client_secret"] = SECRET;
    v.mcp_servers["tracker"]!["oauth"] = oauth;
  });
  const read = readConfiguration([trusted]);
  assertEquals(read.faults, []);
  assertEquals(read.warnings.map(({ code, field }) => `${code} ${field}`), [
    "SECRET_INLINE mcp_enterprise_managed_auth.idp.client_secret",
    "SECRET_INLINE mcp_servers.tracker.oauth.client_secret",
  ]);
  const odd = workingValues();
  odd.mcp_servers["tracker"]!["oauth"] = {
    ...oauth,
    token_endpoint_auth_method: SECRET,
    client_id: [SECRET],
  };
  const all = [read, readConfiguration([{ ...trusted, codexFile: false }]), readConfiguration([layer(odd)])];
  for (const one of all) assertEquals(JSON.stringify(one).includes(SECRET), false);
  assertEquals(all[1]?.disabled[0]?.faults[0].code, "SECRET_INLINE");
});
