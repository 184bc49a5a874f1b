import { assert, assertEquals, assertRejects } from "@std/assert";
import { test } from "node:test";
import { createEdgeRuntime } from "../../../../../adapters/http/transport/sending.ts";
import { HostError } from "../../../../../core/errors.ts";
import { httpEntry, withConnection } from "./bench.ts";
import { type Answer, modernAnswer, reply, withSite } from "./http_site.ts";

const limit = { timeout: 120_000 };

for (const status of [301, 302, 303, 307, 308]) {
  test(`a redirect (${status}) is not followed, to another origin or on the same`, limit, async () => {
    await withSite(modernAnswer(), async (other) => {
      const modern = modernAnswer();
      for (const there of [other.origin, ""]) {
        const answer: Answer = (request, response, raw) =>
          request.url === "/old"
            ? reply(response, { status, headers: { location: `${there}/new` } })
            : modern(request, response, raw);
        await withSite(answer, async (site) => {
          for (const headers of [{ "x-key": "secret" }, {}]) {
            await withConnection(httpEntry({ url: `${site.origin}/old`, headers }), {
              work: async ({ connection }) => {
                const error = await assertRejects(() => connection.open(), HostError);
                const state = connection.state();
                assert("reason" in state && state.reason.reason === "redirect", error.message);
                assertEquals([error.code, state.reason.status], ["SERVER_UNAVAILABLE", status]);
                assert(error.message.includes(`it answered ${status}, a redirect`), error.message);
              },
            });
          }
          assertEquals([other.seen, site.seen.filter(({ url }) => url !== "/old")], [[], []]);
        });
      }
    });
  });
}

test("a call that is redirected later ends with an error that says so", limit, async () => {
  const modern = modernAnswer();
  const answer: Answer = (request, response, raw) =>
    request.body.includes('"tools/call"')
      ? reply(response, { status: 307, headers: { location: "/new" } })
      : modern(request, response, raw);
  await withSite(answer, async (site) => {
    await withConnection(httpEntry({ url: `${site.origin}/mcp` }), {
      work: async ({ connection }) => {
        const { client, exact } = await connection.open();
        const call = client.callTool({ name: "echo", _meta: { state: exact('{"n":1e400}') } });
        const error = await assertRejects(() => call, HostError, "it answered 307, a redirect");
        assertEquals([error.code, error.server], ["SERVER_UNAVAILABLE", "notes"]);
        assertEquals(site.seen.filter(({ url }) => url !== "/mcp"), []);
      },
    });
  });
});

test("a runtime that sends unsafely gets no credential and no state to send", limit, async () => {
  const unsafe = { ...createEdgeRuntime(), certificateSwitch: () => Promise.resolve("THE_SWITCH") };
  const options = { runtime: unsafe, environment: { KEY: "secret" } };
  await withSite(modernAnswer(), async (site) => {
    for (
      const entry of [
        { bearerTokenEnvVar: "KEY" },
        { envHeaders: { "x-key": "KEY" } },
        { headers: { "x-key": "secret" } },
        { url: `${site.origin}/mcp?key=secret` },
      ]
    ) {
      await withConnection(httpEntry({ url: site.origin, ...entry }), {
        options,
        work: async ({ connection }) => {
          const error = await assertRejects(() => connection.open(), HostError, "THE_SWITCH");
          assertEquals(error.code, "SERVER_DISABLED");
          const state = connection.state();
          assert(state.kind === "failed" && state.reason.reason === "sending");
          assert(!`${error.stack}${JSON.stringify([error, state])}`.includes("secret"));
        },
      });
    }
    assertEquals(site.seen, []);
    await withConnection(httpEntry({ url: site.origin }), {
      options,
      work: async ({ connection }) => {
        const { client, exact } = await connection.open();
        await client.callTool({ name: "echo" });
        const call = client.callTool({ name: "echo", _meta: { state: exact('{"n":1e400}') } });
        await assertRejects(() => call, HostError, "THE_SWITCH");
        assertEquals(site.seen.filter(({ body }) => body.includes('"tools/call"')).length, 1);
      },
    });
  });
});
