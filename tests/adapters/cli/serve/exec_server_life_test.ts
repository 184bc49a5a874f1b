import { hasEnded } from "../../../contracts/has_ended.ts";
import { assert, assertEquals, assertRejects } from "@std/assert";
import { Buffer } from "node:buffer";
import { test } from "node:test";
import {
  CLIENTS,
  connect,
  limit,
  PAIRS,
  type Progress,
  sleeper,
  sleeping,
  surround,
  type Surroundings,
  textOf,
  until,
} from "./wire.ts";

/**
 * Writes, waits for `$1/go`, writes again, and waits for `$1/end`: a client may drop progress that comes with the
 * result.
 */
const STEPS = `
until_there() { until [ -e "$1" ]; do sleep 0.05; done; }
echo one
until_there "$1/go"
printf '\\377two' >&2
echo three
until_there "$1/end"
`;

for (const client of CLIENTS) {
  test(`${client}: progress carries the output as it comes, for who asks`, limit, async () => {
    await using place = await surround();
    await using peer = await connect(client, "exec_serve", place);
    const seen: Progress[] = [];
    const command = ["sh", "-c", STEPS, "sh", place.folder];
    const meta = { ...metaOf(place), "codex-mcp/stream-output": true };
    const answer = await peer.call({ command }, meta, {
      onprogress: (progress) => {
        seen.push(progress);
        const bytes = bytesOf(seen, "stdout") + bytesOf(seen, "stderr");
        if (bytes === "one\n") Deno.writeTextFileSync(`${place.folder}/go`, "");
        if (bytes.length === "one\nthree\n\xfftwo".length) Deno.writeTextFileSync(`${place.folder}/end`, "");
      },
    });
    assertEquals(answer.isError ?? false, false);
    assertEquals(bytesOf(seen, "stdout"), "one\nthree\n");
    assertEquals(bytesOf(seen, "stderr"), "\xfftwo");
    assertIncreasing(seen);
    assert(seen.every(({ message }) => /^Running for \d+ s, \d+ bytes of output$/.test(message ?? "")));
  });

  test(`${client}: progress of a silent command is a sign of life, without output`, limit, async () => {
    await using place = await surround();
    await using peer = await connect(client, "exec_serve", place);
    const seen: Progress[] = [];
    const command = ["sh", "-c", 'until [ -e "$1/go" ]; do sleep 0.05; done', "sh", place.folder];
    await peer.call({ command }, metaOf(place), {
      onprogress: (progress) => {
        seen.push(progress);
        if (seen.length === 3) Deno.writeTextFileSync(`${place.folder}/go`, "");
      },
    });
    assertIncreasing(seen);
    assertEquals(seen.map(({ _meta }) => _meta?.["codex-mcp/output"]), seen.map(() => undefined));
  });

  test(`${client}: two calls at a time run under an authority each`, limit, async () => {
    await using place = await surround();
    await using peer = await connect(client, "exec_serve", place);
    const run = (name: string, other: string) => {
      const script = ': > "$1/$2"; until [ -e "$1/$3" ]; do sleep 0.05; done; echo "$2"';
      const state = { permissionProfile: { type: "managed" }, name };
      return peer.call(
        { command: ["sh", "-c", script, "sh", place.folder, name, other] },
        metaOf(place, state),
      );
    };
    const answers = await Promise.all([run("first", "second"), run("second", "first")]);
    assertEquals(answers.map((answer) => JSON.parse(textOf(answer)).stdout), ["first\n", "second\n"]);
    const pairs = (await place.launches()).map((argv) => [JSON.parse(argv[2] ?? "").name, argv.at(-2)])
      .sort();
    assertEquals(pairs, [["first", "first"], ["second", "second"]]);
  });
}

for (const [client, server] of PAIRS) {
  test(`${client} and ${server}: a cancelled call ends its processes`, limit, async () => {
    await using place = await surround();
    await using peer = await connect(client, server, place);
    const abort = new AbortController();
    const call = peer.call({ command: sleeper(place.folder) }, metaOf(place), { signal: abort.signal });
    const refused = assertRejects(() => call);
    const pids = await sleeping(place.folder);
    abort.abort();
    await refused;
    await until(() => pids.every(hasEnded));
    const next = await peer.call({ command: ["echo", "still there"] }, metaOf(place));
    assertEquals(JSON.parse(textOf(next)).stdout, "still there\n");
  });

  test(`${client} and ${server}: a client that goes leaves no process`, limit, async () => {
    await using place = await surround();
    const peer = await connect(client, server, place);
    const lost = assertRejects(() => peer.call({ command: sleeper(place.folder) }, metaOf(place)));
    const pids = [...await sleeping(place.folder), peer.pid];
    await peer[Symbol.asyncDispose]();
    await lost;
    await until(() => pids.every(hasEnded));
  });
}

function metaOf(place: Surroundings, state: object = { permissionProfile: { type: "managed" } }): object {
  return {
    "codex/sandbox-state": state,
    "codex/sandbox-state-meta": state,
    "codex/sandbox-launcher": { codexExecutable: place.launcher },
  };
}

/** What notifications carried of a stream, a character a byte. */
function bytesOf(seen: readonly Progress[], stream: string): string {
  return seen.map(({ _meta }) =>
    _meta?.["codex-mcp/output"] as { stream: string; base64: string } | undefined
  )
    .map((output) => output?.stream === stream ? Buffer.from(output.base64, "base64").toString("latin1") : "")
    .join("");
}

function assertIncreasing(seen: readonly Progress[]): void {
  assert(seen.length > 0);
  for (const [index, { progress }] of seen.entries()) {
    assert(index === 0 || progress > (seen[index - 1]?.progress ?? Infinity), JSON.stringify(seen));
  }
}
