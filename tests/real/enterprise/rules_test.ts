/**
 * The enterprise test bed is as strict as a real one, and its orders and its administration do what tests rely on.
 *
 * @module
 */

import { assert, assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
import { test } from "node:test";
import { type BedClient, startEnterpriseBed } from "../../fixtures/enterprise/mod.ts";
import { formRequest } from "../../fixtures/enterprise/trace/client_request.ts";
import {
  type Answer,
  call,
  exchange,
  obtain,
  post,
  redeem,
  refresh,
  send,
  TYPE,
} from "../../fixtures/enterprise/trace/hand_client.ts";
import { callTool } from "../../fixtures/enterprise/trace/mcp_request.ts";

test("an order holds as often as it says, after as many answers as it says, and until it is undone", async () => {
  await using bed = await startEnterpriseBed();
  const statuses = async (count: number): Promise<number[]> => {
    const found: number[] = [];
    for (let index = 0; index < count; index += 1) {
      const response = await fetch(`${bed.idp.issuer}/jwks`);
      await response.body?.cancel();
      found.push(response.status);
    }
    return found;
  };
  bed.faults.set("idp.jwks", { kind: "status", status: 503 }, { times: 2, after: 1 });
  assertEquals(await statuses(4), [200, 503, 503, 200]);
  const undo = bed.faults.set("idp.jwks", { kind: "status", status: 429 });
  assertEquals(await statuses(2), [429, 429]);
  undo();
  assertEquals(await statuses(1), [200]);
});

test("token endpoints refuse sloppy forms", async () => {
  for (const method of ["client_secret_basic", "client_secret_post", "none"] as const) {
    await using bed = await startEnterpriseBed({ idpMethod: method, resourceMethod: method });
    for (const { issuer, client } of [bed.idp, bed.as]) {
      const url = `${issuer}/token`;
      const plain = await formRequest(client, { grant_type: "unknown" }, { audience: issuer });
      const text = String(plain.body);
      const change = (body: string, headers: HeadersInit = plain.headers ?? {}): Promise<Answer> =>
        send(url, { ...plain, body, headers });
      const grant = "grant_type=urn%3Aietf%3Aparams%3Aoauth%3Agrant-type%3Ajwt-bearer";
      const real = issuer === bed.as.issuer ? grant : "grant_type=refresh_token";
      const form = text.replace("grant_type=unknown", real);
      assertEquals((await change(`${form}&scope=`)).verdict, "400 invalid_request");
      assertEquals((await change(`${form}&scope=a&scope=b`)).verdict, "400 invalid_request");
      const other: BedClient = {
        ...client,
        method: method === "client_secret_basic" ? "client_secret_post" : "client_secret_basic",
        secret: client.secret ?? "a-secret-that-was-never-registered",
      };
      const wrong = await post(url, other, { grant_type: decodeURIComponent(real.split("=")[1] ?? "") });
      assertEquals(wrong.verdict, "401 invalid_client");
      if (method !== "client_secret_basic") continue;
      const both = `${form}&client_id=${client.id}&client_secret=${encodeURIComponent(client.secret ?? "")}`;
      assertEquals((await change(both)).verdict, "400 invalid_request");
      const headers = new Headers(plain.headers);
      headers.set("authorization", `Basic ${btoa(`${client.id}:${client.secret}`)}`);
      assertMatch((await change(form, headers)).verdict, /^40[01] invalid_(client|request)$/);
    }
  }
});

test("an ID-JAG is redeemed once, a used refresh token ends its family", async () => {
  await using bed = await startEnterpriseBed({ profile: "okta-org" });
  const { idJag, refreshToken } = await obtain(bed);
  assertEquals((await redeem(bed, idJag)).verdict, "400 invalid_grant");
  const second = await refresh(bed, refreshToken);
  assertEquals(second.verdict, "200");
  assertEquals((await refresh(bed, refreshToken)).verdict, "400 invalid_grant");
  assertEquals((await refresh(bed, second.body["refresh_token"])).verdict, "400 invalid_grant");

  const again = await obtain(bed);
  bed.idp.controls.rotateAtExchange = true;
  const subject = { subject_token: again.refreshToken, subject_token_type: `${TYPE}refresh_token` };
  const rotated = await exchange(bed, subject);
  assertEquals((await refresh(bed, rotated.body["refresh_token"])).verdict, "200");
  assertEquals((await exchange(bed, subject)).verdict, "400 invalid_grant");

  bed.idp.controls.rotate = false;
  const kept = await obtain(bed);
  assertEquals((await refresh(bed, kept.refreshToken)).body["refresh_token"], kept.refreshToken);
  assertEquals((await refresh(bed, kept.refreshToken)).verdict, "200");
});

test("the administrator can deny, expire, revoke and off-board", async () => {
  await using bed = await startEnterpriseBed();
  const { idToken, refreshToken, bearer } = await obtain(bed);
  const verdict = async (): Promise<string> => (await exchange(bed, { subject_token: idToken })).verdict;
  bed.idp.controls.denials = [{ resource: bed.mcp.secondUrl, error: "access_denied" }];
  assertEquals(await verdict(), "200");
  bed.idp.controls.denials = [{ account: "alice", resource: bed.mcp.url, error: "access_denied" }];
  assertEquals(await verdict(), "400 access_denied");
  bed.idp.controls.denials = [];
  bed.idp.controls.stepUp = true;
  assertEquals(await verdict(), "400 insufficient_user_authentication");
  bed.idp.controls.stepUp = false;
  bed.idp.controls.scopes = ["notes:write"];
  assertEquals(await verdict(), "400 invalid_scope");
  bed.idp.controls.scopes = ["notes:read"];
  const narrowed = await exchange(bed, { subject_token: idToken, scope: "notes:read notes:write" });
  assertEquals(narrowed.body["scope"], "notes:read");
  bed.expireIdTokens();
  assertEquals(await verdict(), "400 invalid_grant");
  const fresh = await refresh(bed, refreshToken);
  assertEquals((await exchange(bed, { subject_token: String(fresh.body["id_token"]) })).verdict, "200");
  await bed.revokeGrants();
  assertEquals((await refresh(bed, fresh.body["refresh_token"])).verdict, "400 invalid_grant");
  bed.idp.controls.disabled = new Set(["alice"]);
  const off = await exchange(bed, { subject_token: String(fresh.body["id_token"]) });
  assertEquals(off.verdict, "400 invalid_grant");
  assertEquals((await call(bed, bearer)).status, 200);
  bed.revokeAccessTokens("bob");
  assertEquals((await call(bed, bearer)).status, 200);
  bed.revokeAccessTokens();
  assertEquals((await call(bed, bearer)).status, 401);
});

test("the MCP server tells a missing token, a foreign one and a narrow one apart", async () => {
  await using bed = await startEnterpriseBed();
  const { bearer } = await obtain(bed);
  const challenge = async (response: Response): Promise<string> => {
    await response.body?.cancel();
    return response.headers.get("www-authenticate") ?? "";
  };
  const none = await call(bed, null);
  assertEquals(none.status, 401);
  const text = await challenge(none);
  assertStringIncludes(
    text,
    `resource_metadata="${bed.mcp.origin}/.well-known/oauth-protected-resource/mcp"`,
  );
  assert(!text.includes("error="));
  assertMatch(await challenge(await call(bed, "at-unknown")), /error="invalid_token"/);
  const narrow = await call(bed, bearer, "write_note");
  assertEquals(narrow.status, 403);
  assertMatch(await challenge(narrow), /error="insufficient_scope", scope="notes:read notes:write"/);
  const wide = await obtain(bed, "notes:read notes:write");
  assertStringIncludes(await (await call(bed, wide.bearer, "write_note")).text(), "written: hello");
  const { init } = callTool(bed, { tool: "whoami", token: bearer });
  const other = await fetch(bed.mcp.secondUrl, init);
  assertEquals(other.status, 401);
  assertStringIncludes(await challenge(other), "/second/mcp");
  const held = call(bed, bearer, "hold");
  bed.release();
  assertStringIncludes(await (await held).text(), "released");
});
