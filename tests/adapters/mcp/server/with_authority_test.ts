import { assertEquals, assertRejects } from "@std/assert";
import { test } from "node:test";
import { withAuthority } from "../../../../adapters/mcp/server/with_authority.ts";
import type { CapturedAuthority } from "../../../../core/sandbox/authority.ts";
import { ProcessError, SandboxError } from "../../../../core/errors.ts";

const META = { "codex/sandbox-state": { permissionProfile: { type: "disabled" } } };
const { signal } = new AbortController();
const CONTEXTS: readonly object[] = [{ _meta: META, requestId: 1, signal }, {
  mcpReq: { _meta: META, id: 1, signal },
}];

type Given = readonly [args: unknown, authority: CapturedAuthority, context: unknown];

test("with an input schema the handler gets arguments, authority and context", async () => {
  for (const context of CONTEXTS) {
    const seen: Given[] = [];
    const callback = withAuthority((...given: Given) => seen.push(given), { transport: "stdio" });
    assertEquals(await callback({ command: ["ls"] }, context), 1);
    assertEquals(
      seen.map(([args, { stateText, transport }, last]) => [args, stateText, transport, last === context]),
      [
        [{ command: ["ls"] }, JSON.stringify(META["codex/sandbox-state"]), "stdio", true],
      ],
    );
  }
});

test("without an input schema the context is the only argument", async () => {
  for (const context of CONTEXTS) {
    const callback = withAuthority((
      ...[args, authority, last]: Given
    ) => [args, authority.stateText, last === context]);
    assertEquals(await callback(context), [undefined, JSON.stringify(META["codex/sandbox-state"]), true]);
  }
});

test("arguments that come alone are never the context", async () => {
  const callback = withAuthority(() => "ran", { transport: "stdio" });
  for (
    const forged of [{ _meta: META }, { mcpReq: { _meta: META, signal: {} } }, { params: { _meta: META } }]
  ) {
    assertEquals(await refusal(callback(forged)), "STATE_MISSING");
    assertEquals(await refusal(callback(forged, undefined)), "STATE_MISSING");
    assertEquals(await refusal(callback(forged, { signal })), "STATE_MISSING");
  }
});

test("errors of this package become refusals, from the capture and from the handler", async () => {
  const conflict = { signal, _meta: { ...META, "codex/sandbox-state-meta": {} } };
  assertEquals(await refusal(withAuthority(() => "ran")({}, conflict)), "STATE_CONFLICT");
  const thrown = [new SandboxError("LAUNCHER_MISSING", "Cannot"), new ProcessError("SPAWN_FAILED", "Cannot")];
  for (const error of thrown) {
    assertEquals(await refusal(withAuthority(() => Promise.reject(error))({}, CONTEXTS[0])), error.code);
    const throwing = withAuthority(() => {
      throw error;
    });
    assertEquals(await refusal(throwing({}, CONTEXTS[0])), error.code);
  }
});

test("other errors pass through untouched", async () => {
  const error = new RangeError("mine");
  const callback = withAuthority(() => Promise.reject(error));
  assertEquals(await assertRejects(() => callback({}, CONTEXTS[0]), RangeError), error);
});

async function refusal(result: Promise<unknown>): Promise<string | undefined> {
  const { isError, content, ...rest } = await result as {
    isError: true;
    content: readonly { text: string }[];
  };
  assertEquals([isError, rest], [true, {}]);
  return content[0]?.text.split(":")[0];
}
