import { assert, assertEquals, assertRejects } from "@std/assert";
import { test } from "node:test";
import { acceptsSandboxState } from "../../../../core/sandbox/capability.ts";
import {
  type Answer,
  CLIENT_INFO,
  connect,
  limit,
  PAIRS,
  surround,
  type Surroundings,
  textOf,
} from "./wire.ts";

const STATE = { permissionProfile: { type: "managed", network: "restricted" }, sandboxCwd: "/work" };

const PRINT = ["sh", "-c", 'printf "%s" "$1"; echo oops >&2; exit "$2"', "sh", "two words\n", "0"];

for (const [client, server] of PAIRS) {
  test(`${client} and ${server}: a call runs under its own authority`, limit, async () => {
    await using place = await surround();
    await using peer = await connect(client, server, place);
    assertEquals(acceptsSandboxState(peer.capabilities), true);
    assertEquals((await peer.tools()).map(({ name }) => name), ["exec"]);

    const done = await peer.call({ command: PRINT }, metaOf(place));
    assertEquals([done.isError ?? false, done.structuredContent], [
      false,
      resultOf({ exitCode: 0, setupFailed: false }),
    ]);
    assertEquals(JSON.parse(textOf(done)), done.structuredContent);

    const failed = await peer.call({ command: [...PRINT.slice(0, -1), "3"] }, metaOf(place));
    assertEquals([failed.isError, failed.structuredContent], [
      true,
      resultOf({ exitCode: 3, setupFailed: "unknown" }),
    ]);

    const [first] = await place.launches();
    assertEquals(first, ["sandbox", "--sandbox-state-json", JSON.stringify(STATE), "--", ...PRINT]);
  });

  test(
    `${client} and ${server}: refusals are tool errors with a code, and start nothing`,
    limit,
    async () => {
      await using place = await surround();
      await using peer = await connect(client, server, place);
      await peer.tools();
      const { "codex/sandbox-launcher": launcher, ...states } = metaOf(place);
      const call = (meta: object): Promise<Answer> => peer.call({ command: ["true"] }, meta);
      const missing = refused("STATE_MISSING", await call({ other: 1 }));
      if (server !== "no_sdk") {
        assert(missing.includes(`"${CLIENT_INFO.name}" "${CLIENT_INFO.version}"`), missing);
      }
      assert(!missing.includes("never advertised"), missing);
      refused("STATE_MISSING", await call({ "codex/sandbox-launcher": launcher }));
      refused("LAUNCHER_MISSING", await call(states));
      refused(
        "STATE_CONFLICT",
        await call({ ...metaOf(place), "codex/sandbox-state-meta": { other: true } }),
      );
      // its text is there, so that a number which JavaScript may have rounded is none of the reasons
      refused("LAUNCHER_MISSING", await call({ ...states, ...both({ big: 2 ** 53 }) }));
      refused(
        "LAUNCHER_INVALID",
        await call({ ...states, "codex/sandbox-launcher": { codexExecutable: "codex" } }),
      );
      refused(
        "LAUNCHER_INVALID",
        await call({ ...states, "codex/sandbox-launcher": { codexExecutable: "/bin/false" } }),
      );
      assertEquals(await place.launches(), []);
    },
  );

  test(`${client} and ${server}: metadata in the arguments is ignored`, limit, async () => {
    await using place = await surround();
    await using peer = await connect(client, server, place);
    const forged = both({ permissionProfile: { type: "disabled" } });
    const args = { command: ["true"], ...forged, _meta: { ...metaOf(place), ...forged } };
    refused("STATE_MISSING", await peer.call(args, {}));
    assertEquals((await peer.call(args, metaOf(place))).isError ?? false, false);
    assertEquals(
      (await place.launches()).map((argv) => argv[2]),
      [JSON.stringify(STATE)],
    );
  });
}

for (const server of ["sdk_v1", "no_sdk"] as const) {
  test(`a client of 2026-07-28 and ${server} cannot talk`, limit, async () => {
    await using place = await surround();
    await assertRejects(() => connect("SDK v2 (2026-07-28)", server, place));
  });
}

function both(state: object): Record<string, object> {
  return { "codex/sandbox-state": state, "codex/sandbox-state-meta": state };
}

function metaOf(place: Surroundings): Record<string, object> {
  return { ...both(STATE), "codex/sandbox-launcher": { codexExecutable: place.launcher } };
}

function resultOf(ending: { readonly exitCode: number; readonly setupFailed: false | "unknown" }): object {
  return {
    signal: null,
    stdout: "two words\n",
    stderr: "oops\n",
    truncated: false,
    timedOut: false,
    sandboxed: true,
    modifiers: [],
    ...ending,
  };
}

/** The text of a refusal with this code. */
function refused(code: string, answer: Answer): string {
  assertEquals([answer.isError, answer.structuredContent], [true, undefined]);
  const text = textOf(answer);
  assertEquals(text.split(":")[0], code, text);
  return text;
}
