/**
 * Where only a parsed state is to be had: over HTTP, and on a server that reads standard input without the wrapper.
 * What JavaScript may have changed is refused there.
 *
 * @module
 */

import { assertEquals } from "@std/assert";
import { test } from "node:test";
import { startHttpServer } from "../../fixtures/codex_host/http_server.ts";
import { path } from "../../fixtures/codex_host/servers.ts";
import { createLauncher } from "../../fixtures/launchers/mod.ts";
import { removeFolder } from "../../fixtures/remove_folder.ts";
import { converse, HANDSHAKE, LIMIT, recordedArguments, type Reply } from "./servers.ts";

/** States that a parsed value shows to be inexact. */
const INEXACT: readonly string[] = [
  '{"n":9007199254740993}',
  '{"n":9007199254740992}',
  '{"n":-9223372036854775808}',
  '{"n":1e400}',
  '{"n":[-1e400]}',
  '{"n":-0}',
  '{"n":{"n":1E+300}}',
  "18446744073709551615",
];

/** A state that survives. */
const EXACT = '{"permissionProfile":{"type":"managed"},"n":[9007199254740991,0.1,null]}';

function callOf(state: string, id: number, launcher = ""): string {
  return `{"jsonrpc":"2.0","id":${id},"method":"tools/call","params":{"name":"exec","arguments":{"command":` +
    `["true"]},"_meta":{"codex/sandbox-state":${state},"codex/sandbox-state-meta":${state}${launcher}}}}`;
}

function codeOf(reply: Reply | undefined): string | undefined {
  return reply?.result?.isError === true ? reply.result.content[0]?.text.split(":")[0] : "done";
}

test("over HTTP an inexact state is refused", LIMIT, async () => {
  await using server = startHttpServer();
  const post = async (body: string): Promise<Reply> => {
    const headers = { "content-type": "application/json", accept: "application/json, text/event-stream" };
    const response = await fetch(server.url, { method: "POST", headers, body });
    const text = await response.text();
    return JSON.parse(text.startsWith("{") ? text : /^data: (.*)$/m.exec(text)?.[1] ?? "{}");
  };
  for (const state of INEXACT) assertEquals(codeOf(await post(callOf(state, 1))), "STATE_INEXACT", state);
  assertEquals(codeOf(await post(callOf(EXACT, 1))), "LAUNCHER_MISSING");
});

for (const name of ["sdk_v1", "sdk_v2"] as const) {
  test(`${name} without the wrapper: an inexact state is refused, an exact one runs`, LIMIT, async () => {
    const launcher = await createLauncher();
    const folder = await Deno.makeTempDir({ prefix: "codex-mcp-parsed-" });
    try {
      const text = await Deno.readTextFile(path(`examples/servers/${name}.ts`));
      await Deno.writeTextFile(`${folder}/server.ts`, text.replaceAll(/, sourceTexts(?= })/g, ""));
      const command = [Deno.execPath(), "run", "--quiet", "-A", "--config", path("deno.json")];
      const key = `,"codex/sandbox-launcher":${JSON.stringify({ codexExecutable: launcher.executable })}`;
      const lines = [...INEXACT, EXACT].map((state, id) => `${callOf(state, id, key)}\n`);
      const ids = lines.map((_, id) => id);
      const input = new TextEncoder().encode(HANDSHAKE + lines.join(""));
      const replies = await converse([...command, `${folder}/server.ts`], { input, ids });
      assertEquals(
        ids.map((id) => codeOf(replies.get(id))),
        [...INEXACT.map(() => "STATE_INEXACT"), "done"],
      );
      assertEquals((await recordedArguments(launcher.folder)).map((argv) => argv[2]), [EXACT]);
    } finally {
      await launcher.remove();
      await removeFolder(folder);
    }
  });
}
