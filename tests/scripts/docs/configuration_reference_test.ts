import { test } from "node:test";
import { assert, assertEquals } from "@std/assert";
import { readServers } from "../../../core/configuration/servers.ts";
import { SERVER_FIELDS } from "../../../core/configuration/settings.ts";
import { CLIENT_METHODS } from "../../../core/enterprise/client_authentication.ts";
import { PROVIDER_FIELDS } from "../../../core/enterprise/config/provider.ts";
import { OAUTH_FIELDS } from "../../../core/enterprise/config/server.ts";

const REFERENCE = Deno.readTextFileSync(
  new URL("../../../docs/enterprise/configuration.md", import.meta.url),
);

/** A documented key: its name, and the codes that its row names. */
interface Row {
  readonly key: string;
  readonly codes: ReadonlySet<string>;
}

/** The part of the reference under `heading`, up to the next one of its level or above. */
function section(heading: string): string {
  const level = /^#+/.exec(heading)?.[0].length ?? 0;
  const begin = REFERENCE.indexOf(`\n${heading}\n`);
  assert(begin >= 0, `the reference has no ${heading}`);
  const rest = REFERENCE.slice(begin + heading.length + 2);
  const end = rest.search(new RegExp(`^#{1,${level}} `, "m"));
  return end < 0 ? rest : rest.slice(0, end);
}

/** The rows of the tables in `text` whose first cell holds keys. */
function rows(text: string): Row[] {
  return text.split("\n").flatMap((line): Row[] => {
    const [, first = "", ...cells] = line.split(/(?<!\\)\|/);
    const keys = /^\s*(`[a-z_]+`(, )?)+\s*$/.test(first) ? words(first) : [];
    return keys.map((key) => ({ key, codes: new Set(words(cells.at(-2) ?? "").filter(isCode)) }));
  });
}

function words(cell: string): string[] {
  return [...cell.matchAll(/`([^`]+)`/g)].map(([, word = ""]) => word);
}

function isCode(word: string): boolean {
  return /^[A-Z]+(_[A-Z]+)+$/.test(word);
}

function sorted(names: Iterable<string>): string[] {
  return [...new Set(names)].sort();
}

const SERVER = section("## `[mcp_servers.NAME]`");
const OAUTH = section("### `oauth` of a server");
const PROVIDER = section("## `[mcp_enterprise_managed_auth.idp]`");

test("the reference names every key that the code knows, and no other", () => {
  const named = rows(SERVER.replace(OAUTH, "")).map(({ key }) => key);
  const inText = SERVER.split("\n\n").filter((part) => /^(Codex has more keys|`args`)/.test(part.trim()));
  const silent = inText.flatMap((part) => words(part)).filter((word) => SERVER_FIELDS.includes(word));
  assertEquals(sorted([...named, ...silent]), sorted(SERVER_FIELDS));
  assertEquals(sorted(rows(OAUTH).map(({ key }) => key)), sorted(OAUTH_FIELDS));
  assertEquals(sorted(rows(PROVIDER).map(({ key }) => key)), sorted(PROVIDER_FIELDS));
  assertEquals(rows(section("## `[features]`")).map(({ key }) => key), ["use_xaa"]);
  assertEquals(rows(section("## Methods")).map(({ key }) => key).slice(1), [...CLIENT_METHODS]);
});

/** Values that are wrong for one key or another, and what has to stand beside them. */
const MISTAKES: readonly unknown[] = [
  undefined,
  7,
  true,
  0.5,
  -1,
  "",
  "text",
  "client_secret_post",
  "http://plain.example.com",
  "half a \ud800",
  [7],
  ["a b"],
  ["\0"],
  {},
  { elsewhere: "x" },
];

const ISSUER = "https://as.example.com";

/** The whole of a configuration without a fault. */
function sound(): Record<string, Record<string, Record<string, unknown>>> {
  return {
    mcp_enterprise_managed_auth: { idp: { issuer: "https://idp.example.com", client_id: "codex" } },
    mcp_servers: {
      tracker: {
        url: "https://mcp.example.com/mcp",
        auth: "ema_auth",
        oauth: { client_id: "mcp", authorization_server_issuer: ISSUER },
      },
    },
  };
}

/** The codes that a configuration leads to at `path` itself. */
function codesAt(values: Record<string, unknown>, path: readonly string[]): string[] {
  const layer = { kind: "user", source: "test", values: { features: { use_xaa: true }, ...values } } as const;
  const found = [true, false].flatMap((codexFile) => {
    const { faults, warnings } = readServers([{ ...layer, codexFile }]);
    return [...faults, ...warnings];
  });
  return sorted(
    found.filter((one) => one.path.slice(0, path.length).join() === path.join()).map(({ code }) => code),
  );
}

/** The codes of every mistake with `key` in the table at `path`, each of `beside` together with it. */
function codesOf(key: string, path: readonly string[], beside: readonly object[]): string[] {
  return sorted(MISTAKES.flatMap((value) =>
    beside.flatMap((others) => {
      const values = sound();
      const table = path.reduce<Record<string, unknown>>(
        (at, step) => at[step] as Record<string, unknown>,
        values,
      );
      Object.assign(table, others);
      if (value === undefined) delete table[key];
      else table[key] = value;
      return codesAt(values, [...path, key]);
    })
  ));
}

const CLIENTS: readonly object[] = [
  {},
  { client_id: undefined },
  { client_secret: "x", token_endpoint_auth_method: "none" },
  { client_secret: { env: "A" }, private_key: { env: "B" } },
  { private_key: { env: "B" }, token_endpoint_auth_method: "client_secret_post" },
  { token_endpoint_auth_method: "client_secret_post" },
];

/** What only two tables or two layers together lead to, tried in `tests/core/enterprise/config`. */
const TOGETHER: readonly string[] = [
  "SPLIT_OVER_LAYERS",
  "PROVIDER_MISSING",
  "PROVIDER_AMBIGUOUS",
  "PROVIDER_REFUSED",
  "LAYER_NOT_TRUSTED",
];

function assertRows(documented: readonly Row[], path: readonly string[], beside: readonly object[]): void {
  for (const { key, codes } of documented) {
    const found = codesOf(key, path, beside).filter((code) => code !== "FIELD_UNKNOWN");
    assertEquals(
      found.filter((code) => !codes.has(code)),
      [],
      `${[...path, key].join(".")}: the reference leaves out what it leads to`,
    );
    const absent = [...codes].filter((code) => !found.includes(code) && !TOGETHER.includes(code));
    assertEquals(absent, [], `${[...path, key].join(".")}: the reference names what it does not lead to`);
  }
}

test("each key of an identity provider leads to the codes that its row names", () => {
  assertRows(rows(PROVIDER), ["mcp_enterprise_managed_auth", "idp"], CLIENTS);
});

test("each key of a server's oauth leads to the codes that its row names", () => {
  const beside = [...CLIENTS, { client_secret: { env: "A" }, authorization_server_issuer: undefined }];
  assertRows(rows(OAUTH), ["mcp_servers", "tracker", "oauth"], beside);
});

test("each key of a server leads to the codes that its row names", () => {
  assertRows(rows(SERVER.replace(OAUTH, "")), ["mcp_servers", "tracker"], [{}, {
    allow_scopes: ["a"],
    scopes: ["b"],
  }]);
});

test("every code of the reference is one of the code, and those of enterprise servers are all there", () => {
  const union = Deno.readTextFileSync(
    new URL("../../../core/configuration/layers/fault.ts", import.meta.url),
  );
  const all = sorted([...union.matchAll(/^ {2}\| "([A-Z_]+)"/gm)].map(([, code = ""]) => code));
  const named = sorted(words(REFERENCE.replace(/^```[^]*?^```$/gm, "")).filter(isCode));
  const elsewhere = ["CODEX_HOME", "CLIENT_REFUSED", "CONFIGURATION_REFUSED", "SECRET_MISSING"];
  assertEquals(named.filter((code) => !all.includes(code)), sorted(elsewhere));
  // of ordinary servers, and of the files of other hosts
  const others = [
    "CREDENTIALS_IN_CLEAR",
    "FIELD_UNSUPPORTED",
    "PLACEHOLDER_UNKNOWN",
    "SWITCHED_OFF",
    "TRANSPORT_CONFLICT",
    "TRANSPORT_MISSING",
    "TRANSPORT_UNKNOWN",
    "VARIABLE_MISSING",
  ];
  assertEquals(all.filter((code) => !named.includes(code)), others);
});
