import { assert, assertEquals, assertRejects } from "@std/assert";
import { test } from "node:test";
import { StreamEndedError } from "../../../../../adapters/mcp/host/connect/http/waiting_requests.ts";
import { HostError } from "../../../../../core/errors.ts";
import { httpEntry, withConnection } from "./bench.ts";
import {
  type Answer,
  modernAnswer,
  modernServer,
  reply,
  sessionServer,
  startSite,
  withSite,
} from "./http_site.ts";

const limit = { timeout: 120_000 };

for (const legacy of [undefined, "reject"] as const) {
  test(
    `a server of 2026-07-28 is found by one question${legacy ? ", one without 2025 too" : ""}`,
    limit,
    async () => {
      await withSite(modernAnswer(legacy === undefined ? {} : { legacy }), async (site) => {
        await withConnection(httpEntry({ url: `${site.origin}/mcp` }), {
          work: async ({ connection, states }) => {
            const open = await connection.open();
            assertEquals([open.era, open.protocol, open.transport], ["modern", "2026-07-28", "http"]);
            assertEquals(states.map(({ kind }) => kind), ["connecting", "ready"]);
            const asked = site.seen.filter(({ body }) => !body.includes('"subscriptions/listen"'));
            assertEquals(asked.length, 1);
            const { content } = await open.client.callTool({ name: "echo" });
            assertEquals(content, [{ type: "text", text: "hello" }]);
          },
        });
      });
    },
  );
}

test("a server of 2025 keeps its session, which is ended with the connection", limit, async () => {
  const server = sessionServer();
  await withSite(server.answer, async (site) => {
    await withConnection(httpEntry({ url: `${site.origin}/mcp` }), {
      work: async ({ connection }) => {
        const told = new Promise<void>((resolve) => connection.onCatalogChanged(resolve));
        const { client, era } = await connection.open();
        assertEquals(era, "legacy");
        assertEquals((await client.callTool({ name: "echo" })).content, [{ type: "text", text: "hello" }]);
        while (!site.seen.some(({ method }) => method === "GET")) {
          await new Promise((resolve) => setTimeout(resolve, 10));
        }
        const again = setInterval(() => server.toolsChanged(), 50);
        await told;
        clearInterval(again);
      },
    });
    assertEquals(server.ended.length, 1);
  });
});

test(
  "a session that the server has forgotten ends the life, and the next one has another",
  limit,
  async () => {
    const server = sessionServer();
    await withSite(server.answer, async (site) => {
      await withConnection(httpEntry({ url: `${site.origin}/mcp` }), {
        work: async ({ connection }) => {
          const first = await connection.open();
          server.forget();
          await assertRejects(() => first.client.callTool({ name: "echo" }));
          const reason: unknown = first.closed.reason;
          assert(reason instanceof HostError && reason.code === "CONNECTION_LOST");
          assertEquals(reason.message, 'Cannot use the server "notes": it ended the session');
          const second = await connection.open();
          assertEquals(second.number, 2);
          await second.client.callTool({ name: "echo" });
        },
      });
    });
  },
);

test("credentials go out with each request, and into no error and no state", limit, async () => {
  const environment = { BEARER: "bearer-secret", KEY: "key-secret" };
  const entry = {
    bearerTokenEnvVar: "BEARER",
    headers: { "X-One": "one-secret" },
    envHeaders: { "X-Key": "KEY" },
  };
  for (const status of [401, 403, 500, 503, 418]) {
    const echo: Answer = ({ headers }, response) =>
      reply(response, { status, body: `no: ${JSON.stringify(headers)}` });
    await withSite(echo, async (site) => {
      await withConnection(httpEntry({ url: `${site.origin}/mcp?key=url-secret`, ...entry }), {
        options: { environment },
        work: async ({ connection, states }) => {
          const error = await assertRejects(() => connection.open(), HostError);
          assertEquals(error.code, "SERVER_UNAVAILABLE");
          assert(error.message.includes(`it answered ${status}`), error.message);
          const state = states.at(-1);
          assert(state?.kind === "waiting" && state.reason.status === status);
          const told = `${error.stack}${JSON.stringify(error)}${String(error.cause)}${
            JSON.stringify(states)
          }`;
          assert(!told.includes("secret"), told);
        },
      });
      for (const { headers } of site.seen) {
        assertEquals([headers["authorization"], headers["x-one"], headers["x-key"]], [
          "Bearer bearer-secret",
          "one-secret",
          "key-secret",
        ]);
      }
    });
  }
});

test("what cannot be sent disables the server by name, and nothing is sent", limit, async () => {
  await withSite(modernAnswer(), async (site) => {
    for (
      const [entry, text] of [
        [{ bearerTokenEnvVar: "MISSING" }, '"MISSING", which holds its bearer token, is not set'],
        [{ bearerTokenEnvVar: "EMPTY" }, '"EMPTY"'],
        [{ bearerTokenEnvVar: "BROKEN" }, '"BROKEN", holds a line break'],
        [{ envHeaders: { "x-key": "BROKEN" } }, '"x-key"'],
        [{ headers: { "x-key": "sec\r\nret: 1" } }, '"x-key"'],
        [{ url: "ftp://127.0.0.1/secret" }, "neither https nor http"],
        [{ url: "http://user:secret@127.0.0.1/" }, "user name"],
        [{ url: "not a secret url" }, "cannot be read"],
      ] as const
    ) {
      await withConnection(httpEntry({ url: site.origin, ...entry }), {
        options: { environment: { EMPTY: "", BROKEN: "secret\nx: 1" } },
        work: async ({ connection }) => {
          const error = await assertRejects(() => connection.open(), HostError);
          assertEquals(error.code, "SERVER_DISABLED");
          assert(error.message.includes(text), error.message);
          assert(!`${error.stack}${JSON.stringify(connection.state())}`.includes("sec"), error.message);
          assertEquals(connection.state().kind, "failed");
        },
      });
    }
    assertEquals(site.seen, []);
  });
});

test("nobody listens: no answer, with the system's code and without the url", limit, async () => {
  const site = await startSite(modernAnswer());
  await site.close();
  await withConnection(httpEntry({ url: `${site.origin}/secret` }), {
    work: async ({ connection }) => {
      const error = await assertRejects(() => connection.open(), HostError, "there is no answer");
      assert(!`${error.message}`.includes("127.0.0.1"));
      const state = connection.state();
      assert("reason" in state && state.reason.reason === "network");
    },
  });
});

test("a server that answers nothing is too late", limit, async () => {
  await withSite(() => undefined, async (site) => {
    await withConnection(httpEntry({ url: site.origin, startupTimeoutMs: 1_000 }), {
      work: async ({ connection }) => {
        assertEquals((await assertRejects(() => connection.open(), HostError)).code, "SERVER_TIMEOUT");
      },
    });
  });
});

test("a server of 2025 that breaks on the question gets its handshake", limit, async () => {
  const server = sessionServer();
  const answer: Answer = (request, response, raw) =>
    request.body.includes("server/discover")
      ? reply(response, { status: 500, body: "broken" })
      : server.answer(request, response, raw);
  await withSite(answer, async (site) => {
    await withConnection(httpEntry({ url: site.origin }), {
      work: async ({ connection }) => assertEquals((await connection.open()).era, "legacy"),
    });
  });
});

test(
  "changed tools of a server of 2026-07-28 are told of, also after its stream was cut",
  limit,
  async () => {
    const server = modernServer();
    let streams = 0;
    const answer: Answer = (request, response, raw) => {
      if (request.body.includes('"subscriptions/listen"') && ++streams === 1) {
        return reply(response, { headers: { "content-type": "text/event-stream" } });
      }
      return server.answer(request, response, raw);
    };
    await withSite(answer, async (site) => {
      await withConnection(httpEntry({ url: site.origin }), {
        work: async ({ connection }) => {
          let told = 0;
          const twice = new Promise<void>((resolve) =>
            connection.onCatalogChanged(() => ++told === 2 && resolve())
          );
          await connection.open();
          const again = setInterval(() => server.toolsChanged(), 50);
          await twice;
          clearInterval(again);
          assertEquals(streams, 2);
        },
      });
    });
  },
);

test("a call whose stream ends without an answer ends, and the life goes on", limit, async () => {
  const server = modernServer();
  const answer: Answer = (request, response, raw) =>
    request.body.includes('"tools/call"')
      ? reply(response, { headers: { "content-type": "text/event-stream" } })
      : server.answer(request, response, raw);
  await withSite(answer, async (site) => {
    await withConnection(httpEntry({ url: site.origin }), {
      work: async ({ connection }) => {
        const { client, closed } = await connection.open();
        await assertRejects(() => client.callTool({ name: "echo" }), StreamEndedError);
        assertEquals(closed.aborted, false);
      },
    });
  });
});
