import { test } from "node:test";
import { assert, assertEquals, assertThrows } from "@std/assert";
import { EnterpriseError } from "../../../../core/enterprise/error.ts";
import {
  GRANT_BYTES,
  type GrantRecord,
  readGrant,
  rotateGrant,
  writeGrant,
} from "../../../../core/enterprise/grant/record.ts";

const record: GrantRecord = {
  issuer: "https://idp.example/",
  clientId: "c",
  user: "u",
  workspace: null,
  subject: "U1",
  generation: "0123456789abcdef0123456789abcdef",
  revision: 0,
  refreshToken: "s3cr3t-refresh",
  idToken: "s3cr3t-id",
  idTokenExpiresAt: 1000,
  signedInAt: 900,
  others: {},
};

function codeOf(body: () => unknown): string {
  const error = assertThrows(body, EnterpriseError);
  assert(!JSON.stringify([error.message, error.reason, `${error.cause}`, error.stack]).includes("s3cr3t"));
  assertEquals(error.cause, undefined);
  return error.code;
}

test("writeGrant, readGrant: there and back", () => {
  for (
    const one of [record, { ...record, idToken: null, idTokenExpiresAt: null }, {
      ...record,
      refreshToken: null,
      workspace: "",
    }]
  ) {
    assertEquals(readGrant(writeGrant(one)), one);
  }
});

test("readGrant: a time beyond every date is none that is known, also after a rewrite", () => {
  const raw = JSON.parse(writeGrant(record));
  for (const time of ["9e12", "1e300", "1e999", "-1"]) {
    const text = JSON.stringify(raw).replace(/"id_token_expires_at":1000/, `"id_token_expires_at":${time}`);
    const read = readGrant(text);
    assertEquals(read, { ...record, idTokenExpiresAt: null }, time);
    assertEquals(readGrant(writeGrant(rotateGrant(read, { refreshToken: "next" }))).idTokenExpiresAt, null);
  }
});

test("readGrant: members of a newer program survive a rewrite, known ones are not doubled", () => {
  const newer = { ...JSON.parse(writeGrant(record)), future: { a: [1] }, "__proto__x": 1 };
  const text = JSON.stringify(newer).replace('"__proto__x"', '"__proto__"');
  const again = JSON.parse(writeGrant(rotateGrant(readGrant(text), { refreshToken: "next" })));
  assertEquals(again.future, { a: [1] });
  assert(Object.hasOwn(again, "__proto__"));
  assertEquals([again.revision, again.refresh_token, again.generation], [1, "next", record.generation]);
  const forged = writeGrant({ ...record, others: { generation: "x", version: 7 } });
  assertEquals(readGrant(forged), record);
});

test("readGrant: anything else is damaged, or of a newer version", () => {
  const raw = JSON.parse(writeGrant(record));
  const change = (fields: Record<string, unknown>) => () => readGrant(JSON.stringify({ ...raw, ...fields }));
  for (const text of ["", "s3cr3t", "{s3cr3t", "null", "[]", "{}", JSON.stringify("s3cr3t")]) {
    assertEquals(codeOf(() => readGrant(text)), "GRANT_MALFORMED");
  }
  assertEquals(codeOf(change({ version: 2 })), "GRANT_VERSION_UNSUPPORTED");
  const wrong = [
    { version: "1" },
    { issuer: "" },
    { client_id: 7 },
    { user: null },
    { workspace: 7 },
    { subject: undefined },
    { generation: "x" },
    { revision: -1 },
    { refresh_token: 7 },
    { refresh_token: null, id_token: null, id_token_expires_at: null },
    { id_token_expires_at: "1000" },
    { id_token: null },
    { signed_in_at: "x" },
  ];
  for (const fields of wrong) assertEquals(codeOf(change(fields)), "GRANT_MALFORMED", JSON.stringify(fields));
});

test("writeGrant: 2,560 bytes and not one more", () => {
  const room = GRANT_BYTES - new TextEncoder().encode(writeGrant({ ...record, refreshToken: "x" })).length +
    1;
  const sized = (length: number, letter = "x") =>
    writeGrant({ ...record, refreshToken: letter.repeat(length) });
  assertEquals(new TextEncoder().encode(sized(room)).length, 2560);
  assertEquals(codeOf(() => sized(room + 1)), "GRANT_TOO_LARGE");
  assertEquals(codeOf(() => sized(Math.floor(room / 2) + 1, "ä")), "GRANT_TOO_LARGE");
});
