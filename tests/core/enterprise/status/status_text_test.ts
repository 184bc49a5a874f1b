import { test } from "node:test";
import { assert, assertEquals, assertMatch } from "@std/assert";
import type { ServerStatus } from "../../../../core/enterprise/status/status.ts";
import {
  guidance,
  loginCommand,
  statusExitCode,
  worstExitCode,
} from "../../../../core/enterprise/status/status_text.ts";

const layer = { kind: "administrator", source: "/etc/codex/managed.toml" } as const;
const first = "token-exchange";
const second = "redemption";

/** Every status: its exit code, and what its sentence must say beside a command. */
const TABLE: readonly (readonly [ServerStatus, number, RegExp])[] = [
  [{ kind: "ready", until: null, extension: "advertised" }, 0, /^Signed in\. Run: codex-mcp tools tracker$/],
  [{ kind: "ready", until: 7, extension: "unknown" }, 0, /without a refresh token.*not known/],
  [
    { kind: "disabled", code: "FEATURE_OFF", field: "features.use_xaa", layer: null },
    3,
    /features\.use_xaa \(FEATURE_OFF\)/,
  ],
  [
    { kind: "configuration-rejected", field: "a.b", layer },
    3,
    /a\.b of administrator layer "\/etc\/codex\/managed.toml"/,
  ],
  [{ kind: "configuration-unavailable" }, 5, /cannot be read now/],
  [{ kind: "keyring-absent" }, 5, /no keyring/],
  [{ kind: "keyring-locked" }, 5, /locked\. Unlock it/],
  [{ kind: "marker-unreadable" }, 5, /codex-mcp login --idp acme/],
  [{ kind: "signed-out", because: "not-signed-in" }, 4, /^Not signed in.*Run: codex-mcp login --idp acme$/],
  [{ kind: "signed-out", because: "signed-out" }, 4, /^Signed out\. Run: codex-mcp login --idp acme$/],
  [{ kind: "signed-out", because: "deleted" }, 4, /item is gone.*login --idp acme$/],
  [{ kind: "signed-out", because: "refused" }, 4, /no longer accepts.*login --idp acme$/],
  [{ kind: "signed-out", because: "expired" }, 4, /expired.*login --idp acme$/],
  [{ kind: "stronger-sign-in" }, 4, /stronger.*login --idp acme$/],
  [{ kind: "reconnect", because: "replaced" }, 3, /void \(replaced\)\. Reconnect/],
  [{ kind: "reconnect", because: "bearer-refused" }, 3, /two access tokens.*Reconnect/],
  [{ kind: "moved", what: "issuer" }, 3, /Misconfigured: an issuer changed/],
  [{ kind: "moved", what: "endpoint" }, 3, /endpoint moved/],
  [{ kind: "moved", what: "authorization-server" }, 3, /no longer names/],
  [{ kind: "misconfigured", leg: first }, 3, /identity provider \(token exchange\)/],
  [{ kind: "identity-refused" }, 3, /refused this server, and the sign-in stands/],
  [{ kind: "administrator-denied", leg: first }, 3, /administrator: the identity provider/],
  [{ kind: "administrator-denied", leg: second }, 3, /administrator: the authorization server/],
  [{ kind: "assertion-refused" }, 3, /client id, clock, trust .* unknown user/],
  [{ kind: "client-refused", leg: first }, 3, /Check client_id/],
  [{ kind: "client-refused", leg: second }, 3, /Check oauth\.client_id/],
  [{ kind: "scope-refused", leg: second }, 3, /Configure scopes for mcp_servers\.tracker/],
  [{ kind: "binding-unsupported", leg: second }, 3, /DPoP.*not supported/],
  [{ kind: "extension-required" }, 3, /require_extension/],
  [{ kind: "unavailable" }, 5, /^Temporarily unavailable; the sign-in stands/],
];

test("guidance and statusExitCode: each status has its sentence, its command and its code", () => {
  for (const [status, code, words] of TABLE) {
    const sentence = guidance(status, { server: "tracker", provider: "acme" });
    assertMatch(sentence, words);
    assertMatch(sentence, /codex-mcp (?:login|status|tools tracker|doctor tracker)/);
    assertEquals(statusExitCode(status), code as never, status.kind);
    assert(!/undefined|null|\[object/.test(sentence), sentence);
  }
});

test("guidance: two statuses that ask for different things never say the same", () => {
  const sentences = TABLE.map(([status]) => guidance(status, { server: "tracker", provider: "acme" }));
  assertEquals(new Set(sentences).size, TABLE.length);
});

test("loginCommand: names the identity provider where there are several", () => {
  assertEquals([loginCommand("acme"), loginCommand("default"), loginCommand(null)], [
    "codex-mcp login --idp acme",
    "codex-mcp login",
    "codex-mcp login",
  ]);
});

test("worstExitCode: the highest", () => {
  const at = (...indexes: number[]) => worstExitCode(indexes.map((index) => TABLE[index]![0]));
  assertEquals([at(), at(0, 0), at(0, 2), at(8, 2), at(2, 8, 4)], [0, 0, 3, 4, 5]);
});
