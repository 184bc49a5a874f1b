import { assert, assertEquals, assertMatch } from "@std/assert";
import { test } from "node:test";
import { startSite } from "../host/site.ts";
import { Stage } from "../host/stage.ts";

const limit = { timeout: 120_000 };

test("names and descriptions, and schemas when they are asked for", limit, async () => {
  await using stage = await Stage.create();
  await stage.configure(stage.server("files", { more: 'enabled_tools = ["echo", "lines"]' }));
  assertEquals(await stage.run(["tools", "files"]), {
    code: 0,
    stdout: "echo\n    Says what it gets\ufffd[2J.\n    In two lines.\nlines\n",
    stderr: "",
  });
  const { stdout } = await stage.run(["tools", "files", "--schema"]);
  assertMatch(stdout, /^ {6}"properties": \{$/m);
  const json = await stage.run(["tools", "--json", "files"]);
  const { server, cached, fetchedAt, tools } = JSON.parse(json.stdout);
  assertEquals([cached, Math.abs(fetchedAt - Date.now() / 1000) < 60], [false, true]);
  assertEquals([json.code, json.stderr, json.stdout.includes("\u001b")], [0, "", false]);
  assertEquals([server, tools.map(({ name }: { name: string }) => name)], ["files", ["echo", "lines"]]);
  assert(tools[0].inputSchema.properties.word !== undefined);
});

test("a second time from the catalog, unless it is refreshed", limit, async () => {
  await using stage = await Stage.create();
  // of a server of 2026-07-28 nothing is kept unless it says so
  await stage.configure(stage.server("files", { more: 'protocol = "legacy"' }));
  const first = await stage.run(["tools", "files"]);
  const started = (await stage.recorded("files")).length;
  assert(started > 0);
  assertEquals(await stage.run(["tools", "files"]), first);
  assertEquals((await stage.recorded("files")).length, started);
  const json = JSON.parse((await stage.run(["tools", "files", "--json"])).stdout);
  assertEquals([json.cached, (await stage.recorded("files")).length], [true, started]);
  const again = JSON.parse((await stage.run(["tools", "files", "--refresh", "--json"])).stdout);
  assertEquals([again.cached, again.fetchedAt > json.fetchedAt], [false, true]);
  assert((await stage.recorded("files")).length > started);
});

test("over HTTP, and what is wrong has its exit code", limit, async () => {
  await using stage = await Stage.create();
  await using site = startSite();
  await stage.configure(
    `[mcp_servers.site]\nurl = "${site.url}"\n[mcp_servers.web]\nurl = "http://127.0.0.1:1/mcp"\n`,
    '[mcp_servers.broken]\nurl = "no url"\n',
  );
  assertEquals((await stage.run(["tools", "site"])).stdout, "hello\n");
  const rows: readonly (readonly [readonly string[], number, RegExp])[] = [
    [["tools"], 2, /Which server\?/],
    [["tools", "site", "web"], 2, /one server/],
    [["tools", "other"], 2, /SERVER_UNKNOWN: .*There is: site, web, broken\./],
    [["tools", "web"], 5, /SERVER_UNAVAILABLE/],
    [["tools", "broken"], 3, /SERVER_DISABLED: .*config\.toml:7: Cannot use mcp_servers\.broken\.url/],
  ];
  for (const [words, code, pattern] of rows) {
    const outcome = await stage.run(words);
    assertEquals([outcome.code, outcome.stdout], [code, ""], `${words}: ${outcome.stderr}`);
    assertMatch(outcome.stderr, pattern);
  }
});
