import { test } from "node:test";
import { assertEquals } from "@std/assert";
import { readClient } from "../../../../core/enterprise/config/client.ts";
import type { Findings } from "../../../../core/enterprise/config/table.ts";
import { layer } from "./layers.ts";

function read(fields: Record<string, unknown>) {
  const findings: Findings = { faults: [], warnings: [] };
  const client = readClient({ layer: layer({ idp: fields }), path: ["idp"], findings });
  return { client, faults: findings.faults.map(({ code, field }) => `${code} ${field}`) };
}

const client_id = "c";
const secret = { env: "S" };
const field = "idp.token_endpoint_auth_method";

test("readClient: what goes together", () => {
  const cases: readonly (readonly [Record<string, unknown>, readonly string[]])[] = [
    [{ client_secret: secret }, [
      "SECRET_WITHOUT_CLIENT_ID idp.client_secret",
      "FIELD_MISSING idp.client_id",
    ]],
    [{ client_id, client_secret: "" }, ["FIELD_EMPTY idp.client_secret"]],
    [{ client_id, token_endpoint_auth_method: "client_secret_basic" }, [`METHOD_WITHOUT_SECRET ${field}`]],
    [{ client_id, token_endpoint_auth_method: "client_secret_post" }, [`METHOD_WITHOUT_SECRET ${field}`]],
    [{ client_id, token_endpoint_auth_method: "private_key_jwt" }, [`METHOD_WITHOUT_SECRET ${field}`]],
    [{ client_id, token_endpoint_auth_method: "tls_client_auth" }, [`METHOD_UNKNOWN ${field}`]],
    [
      { client_id, client_secret: secret, token_endpoint_auth_method: "none" },
      ["SECRET_WITHOUT_METHOD idp.client_secret"],
    ],
    [
      { client_id, private_key: secret, token_endpoint_auth_method: "none" },
      ["SECRET_WITHOUT_METHOD idp.private_key"],
    ],
    [{ client_id, client_secret: secret, private_key: secret }, ["SECRET_WITHOUT_METHOD idp.private_key"]],
    [{ client_id, client_secret: { vault: "x" } }, ["SECRET_REFERENCE_UNKNOWN idp.client_secret"]],
  ];
  for (const [fields, faults] of cases) assertEquals(read(fields), { client: null, faults: [...faults] });
});

test("readClient: each of the four methods", () => {
  assertEquals(read({ client_id, token_endpoint_auth_method: "none" }).client?.method, "none");
  for (const method of ["client_secret_basic", "client_secret_post"]) {
    const { client } = read({ client_id, client_secret: secret, token_endpoint_auth_method: method });
    assertEquals(client?.method, method);
    assertEquals(client?.secret, { kind: "environment", name: "S" });
  }
  const { client } = read({ client_id, private_key: secret, token_endpoint_auth_method: "private_key_jwt" });
  assertEquals(client?.privateKey, { kind: "environment", name: "S" });
});
