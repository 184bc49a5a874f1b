import { assert, assertEquals } from "@std/assert";
import { test } from "node:test";
import { type ProgressParams, ProgressReporter } from "../../../../adapters/cli/serve/progress.ts";

const NEVER_MS = 2_000_000_000;

test("carried output is sent at once, byte for byte, whatever becomes of the chunk", () => {
  const sent: ProgressParams[] = [];
  const reporter = report(sent, { carriesOutput: true });
  const chunk = new Uint8Array([1, 255, 0, 97]).subarray(1, 3);
  reporter.output("stderr", chunk);
  chunk.fill(9);
  reporter.output("stdout", new TextEncoder().encode("out"));
  reporter.stop();
  assertEquals(
    sent.map(({ message, ...rest }) => ({ ...rest, message: message.replace(/\d+ s/, "a while") })),
    [
      {
        progressToken: 0,
        progress: 1,
        message: "Running for a while, 2 bytes of output",
        _meta: { "codex-mcp/output": { stream: "stderr", base64: "/wA=" } },
      },
      {
        progressToken: 0,
        progress: 2,
        message: "Running for a while, 5 bytes of output",
        _meta: { "codex-mcp/output": { stream: "stdout", base64: "b3V0" } },
      },
    ],
  );
});

test("output that is not carried is told of, and a flood of it not chunk by chunk", () => {
  const sent: ProgressParams[] = [];
  const reporter = report(sent, { carriesOutput: false });
  const from = performance.now();
  for (let count = 0; count < 10_000; count++) reporter.output("stdout", new Uint8Array(10));
  const atMost = 1 + Math.ceil((performance.now() - from) / 250);
  reporter.stop();
  assert(sent.length >= 1 && sent.length <= atMost, `${sent.length} notifications`);
  assertEquals(sent.map((one) => "_meta" in one), sent.map(() => false));
});

test("a silent command gives signs of life until it stops", { timeout: 60_000 }, async () => {
  const sent: ProgressParams[] = [];
  const reporter = await new Promise<ProgressReporter>((resolve) => {
    const created: ProgressReporter = report(sent, {
      carriesOutput: false,
      heartbeatMs: 1,
      then: () => sent.length === 3 && resolve(created),
    });
  });
  reporter.stop();
  const count = sent.length;
  await new Promise((resolve) => setTimeout(resolve, 50));
  assertEquals(sent.map(({ progress }) => progress), Array.from({ length: count }, (_, index) => index + 1));
});

interface Settings {
  readonly carriesOutput: boolean;
  readonly heartbeatMs?: number;
  readonly then?: () => void;
}

function report(
  sent: ProgressParams[],
  { carriesOutput, heartbeatMs = NEVER_MS, then }: Settings,
): ProgressReporter {
  return new ProgressReporter({
    token: 0,
    carriesOutput,
    heartbeatMs,
    send: (params) => {
      sent.push(params);
      then?.();
    },
  });
}
