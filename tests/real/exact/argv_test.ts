/**
 * Exactness, byte for byte: what goes in at a server's standard input comes out in the argument vector of the
 * launcher, on every runtime.
 *
 * @module
 */

import { assert, assertEquals } from "@std/assert";
import { test } from "node:test";
import { createLauncher, type Launcher } from "../../fixtures/launchers/mod.ts";
import {
  bytesOf,
  converse,
  ENVELOPE,
  HANDSHAKE,
  LIMIT,
  recordedArguments,
  RUNTIMES,
  serverCommand,
  SERVERS,
} from "./servers.ts";
import { EVERYTHING, STATES } from "./states.ts";

const TEXTS: readonly string[] = [...Object.values(STATES), EVERYTHING];

const ERAS = [{ name: "with the handshake", modern: false }, { name: "MCP 2026-07-28", modern: true }];

/** What a call is made of besides its states. */
interface Call {
  readonly id: number;
  readonly launcher: Launcher;
  readonly modern: boolean;
}

/** One line with a call; its command names its id. `states` is the text of the members. */
function callOf(states: string, { id, launcher, modern }: Call): string {
  const key = JSON.stringify({ codexExecutable: launcher.executable });
  return `{"jsonrpc":"2.0","id":${id},"method":"tools/call","params":{"name":"exec","arguments":{"command":` +
    `["true","${id}"]},"_meta":{${modern ? ENVELOPE : ""}${states},"codex/sandbox-launcher":${key}}}}\n`;
}

function both(state: string): string {
  return `"codex/sandbox-state":${state},"codex/sandbox-state-meta":${state}`;
}

for (const runtime of RUNTIMES) {
  for (const server of SERVERS) {
    for (const { name, modern } of ERAS) {
      if (modern && (server === "sdk_v1" || server === "no_sdk")) continue;
      test(
        `${server} on ${runtime}, ${name}: every state reaches the launcher unchanged`,
        LIMIT,
        async () => {
          const launcher = await createLauncher();
          try {
            const lines = TEXTS.map((text, id) => {
              const alone = [`"codex/sandbox-state": ${text}`, `"codex\\/sandbox-state-meta" :${text} `];
              return callOf([both(text), ...alone][id % 3]!, { id, launcher, modern });
            });
            const input = new TextEncoder().encode(
              (modern ? "" : HANDSHAKE) + lines.join("").replaceAll("\n", "\r\n"),
            );
            const ids = TEXTS.map((_, id) => id);
            const replies = await converse(await serverCommand(server, runtime), { input, ids });
            for (const id of ids) assertEquals(replies.get(id)?.result?.isError ?? false, false, TEXTS[id]);
            const recorded = await recordedArguments(launcher.folder);
            const expected = TEXTS.map((text, id) =>
              ["sandbox", "--sandbox-state-json", text, "--", "true", String(id)].map(bytesOf)
            );
            const order = (argv: readonly string[]): number => Number(argv.at(-1));
            assertEquals([...recorded].sort((a, b) => order(a) - order(b)), expected);
          } finally {
            await launcher.remove();
          }
        },
      );

      test(`${server} on ${runtime}, ${name}: what is ambiguous starts nothing`, LIMIT, async () => {
        const launcher = await createLauncher();
        try {
          const bad = [
            `${both("1")},"codex/sandbox-state":1`,
            `${both("1")},"codex\\/sandbox-st\\u0061te-meta":2`,
            `"codex/sandbox-state":9007199254740993,"codex/sandbox-state-meta":9007199254740992`,
            `"codex/sandbox-state":{"a":1,"a":2},"codex/sandbox-state-meta":{"a":2}`,
          ].map((states, id) => callOf(states, { id, launcher, modern }));
          bad.push(
            callOf(both("1"), { id: 4, launcher, modern }).replace('"_meta":', '"_meta":{},"_m\\u0065ta":'),
          );
          bad.push(
            callOf(both("1"), { id: 5, launcher, modern }).replace('"params":', '"params":{},"params":'),
          );
          const utf8 = callOf(both('{"a":"?"}'), { id: 6, launcher, modern });
          const good = callOf(both("1.0"), { id: 7, launcher, modern });
          const input = new TextEncoder().encode((modern ? "" : HANDSHAKE) + bad.join("") + utf8 + good);
          const at = input.lastIndexOf(0x3f, input.length);
          input[at] = 0xff;
          const ids = [0, 1, 2, 3, 4, 5, 6, 7];
          const replies = await converse(await serverCommand(server, runtime), { input, ids });
          const codes = ids.map((id) => {
            const { result, error } = replies.get(id) ?? {};
            const text = error?.message ?? result?.content[0]?.text ?? "";
            return [error?.code, result?.isError, text.split(":")[0]];
          });
          const twice = [-32600, undefined, "STATE_CONFLICT"];
          const differ = [undefined, true, "STATE_CONFLICT"];
          assertEquals(codes.slice(0, 6), [twice, twice, differ, differ, twice, twice]);
          assertEquals(codes[6], [-32700, undefined, "STATE_INEXACT"]);
          assert(replies.get(7)?.result?.isError !== true);
          assertEquals((await recordedArguments(launcher.folder)).map((argv) => argv[2]), ["1.0"]);
        } finally {
          await launcher.remove();
        }
      });
    }
  }
}
