import { assert, assertEquals } from "@std/assert";
import { test } from "node:test";
import { requestHeaders } from "../../../../../../adapters/mcp/host/connect/http/request_headers.ts";

const NONE = { headers: {}, envHeaders: {}, bearerTokenEnvVar: null };

test("fields, variables and the bearer, each over the one before", () => {
  const entry = {
    headers: { "X-One": "1", "X-Two": "2", Authorization: "Basic a" },
    envHeaders: { "x-two": "TWO", "X-Three": "THREE", "X-Four": "EMPTY" },
    bearerTokenEnvVar: "BEARER",
  };
  assertEquals(requestHeaders(entry, { TWO: "two", BEARER: "b", EMPTY: "" }), {
    fields: { "x-one": "1", "x-two": "two", authorization: "Bearer b" },
    missing: ["THREE", "EMPTY"],
  });
  assertEquals(requestHeaders(NONE, {}), { fields: {}, missing: [] });
});

test("a bearer that is not set is named by its variable", () => {
  for (const environment of [{}, { BEARER: "" }]) {
    assertEquals(requestHeaders({ ...NONE, bearerTokenEnvVar: "BEARER" }, environment), {
      reason: "variable",
      flaw: 'the variable "BEARER", which holds its bearer token, is not set',
    });
  }
});

test("a variable with the name of a member of every object is not set", () => {
  for (const name of ["constructor", "toString", "__proto__", "hasOwnProperty"]) {
    const refused = requestHeaders({ ...NONE, bearerTokenEnvVar: name }, {});
    assert("flaw" in refused && refused.reason === "variable", JSON.stringify(refused));
    assertEquals(requestHeaders({ ...NONE, envHeaders: { "x-key": name } }, {}), {
      fields: {},
      missing: [name],
    });
  }
  const found = requestHeaders({ ...NONE, bearerTokenEnvVar: "constructor" }, { constructor: "b" } as never);
  assertEquals(found, { fields: { authorization: "Bearer b" }, missing: [] });
});

test("what cannot be sent is refused, and never quoted", () => {
  for (
    const secret of [
      "sec\nret",
      "sec\r\nret",
      "sec\rret",
      "sec\0ret",
      "sec\u0100ret",
      "sec\u007fret",
      "ret\n",
    ]
  ) {
    for (
      const found of [
        requestHeaders({ ...NONE, headers: { "x-key": secret } }, {}),
        requestHeaders({ ...NONE, envHeaders: { "x-key": "KEY" } }, { KEY: secret }),
        requestHeaders({ ...NONE, bearerTokenEnvVar: "KEY" }, { KEY: secret }),
      ]
    ) {
      assert("flaw" in found && found.reason === "header", JSON.stringify(secret));
      assert(!found.flaw.includes("ret") && /line break/.test(found.flaw), found.flaw);
    }
  }
});

test("names that are none, and those of the protocol, are refused", () => {
  for (
    const name of ["", "a b", "a:b", "a\n", "é", "Host", "Content-Type", "MCP-Session-Id", "last-event-id"]
  ) {
    const found = requestHeaders({ ...NONE, headers: { [name]: "1" } }, {});
    assert("flaw" in found && found.reason === "header", name);
  }
});

test("a value of latin letters, tabs and spaces can be sent", () => {
  assertEquals(requestHeaders({ ...NONE, headers: { "x-a": "é\tü ß" } }, {}), {
    fields: { "x-a": "é\tü ß" },
    missing: [],
  });
});
