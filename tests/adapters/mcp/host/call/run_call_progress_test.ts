import { assertEquals } from "@std/assert";
import process from "node:process";
import { test } from "node:test";
import { serveInProcess } from "../in_process.ts";
import { threadRig } from "../thread_rig.ts";

const listeners: readonly (readonly [string, () => unknown])[] = [
  ["throws", () => {
    throw new Error("at once");
  }],
  ["rejects", async () => {
    await Promise.resolve();
    throw new Error("later");
  }],
];

for (const [how, listener] of listeners) {
  test(`a listener of progress that ${how} is nobody's affair but its own`, async () => {
    const unhandled: unknown[] = [];
    const note = (reason: unknown): void => void unhandled.push(reason);
    process.on("unhandledRejection", note);
    let heard = 0;
    const server = serveInProcess((one) =>
      one.registerTool("t", {}, async (context) => {
        const progressToken = context.mcpReq._meta?.progressToken ?? "";
        await context.mcpReq.notify({
          method: "notifications/progress",
          params: { progressToken, progress: 1 },
        });
        return { content: [] };
      })
    );
    try {
      const result = await threadRig({ s: server }).open().callTool("s", "t", {}, {
        onProgress: () => {
          heard += 1;
          return listener() as void;
        },
      });
      await new Promise((resolve) => setTimeout(resolve, 50));
      assertEquals([result.content, heard, unhandled], [[], 1, []]);
    } finally {
      process.off("unhandledRejection", note);
    }
  });
}
