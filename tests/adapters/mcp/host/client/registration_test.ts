import { inputRequired } from "@modelcontextprotocol/server";
import { assert, assertEquals } from "@std/assert";
import { test } from "node:test";
import type { InputContext, InputHandlers } from "../../../../../adapters/mcp/host/client/input.ts";
import { registerInput } from "../../../../../adapters/mcp/host/client/registration.ts";
import type { HostError } from "../../../../../core/errors.ts";
import { serveInProcess } from "../in_process.ts";
import { threadRig } from "../thread_rig.ts";

/** What a handler was told of who asks. */
function told({ server, thread, tool }: InputContext): readonly unknown[] {
  return [server, thread, tool];
}

test("form, model and folders: each question is answered, in both eras, for the call that it belongs to", async () => {
  for (const legacy of [false, true]) {
    const who: unknown[] = [];
    const handlers: InputHandlers = {
      elicit: (_params, context) => {
        who.push(told(context));
        return Promise.resolve({ action: "accept", content: { name: "me" } });
      },
      sample: (_params, context) => {
        who.push(told(context));
        return Promise.resolve({ role: "assistant", model: "m", content: { type: "text", text: "said" } });
      },
      roots: (context) => {
        who.push(told(context));
        return Promise.resolve({ roots: [{ uri: "file:///w" }] });
      },
    };
    const schema = { type: "object" as const, properties: { name: { type: "string" as const } } };
    const sampling = { messages: [], maxTokens: 1 };
    const server = serveInProcess((one) =>
      one.registerTool("ask", {}, async (context) => {
        if (legacy) {
          const answers = [
            await one.server.elicitInput({ message: "Who?", requestedSchema: schema }),
            await one.server.createMessage(sampling),
            await one.server.listRoots(),
          ];
          return { content: [{ type: "text", text: JSON.stringify(answers) }] };
        }
        const { inputResponses } = context.mcpReq;
        if (inputResponses !== undefined) {
          return { content: [{ type: "text", text: JSON.stringify(inputResponses) }] };
        }
        return inputRequired({
          inputRequests: {
            a: inputRequired.elicit({ message: "Who?", requestedSchema: schema }),
            b: inputRequired.createMessage(sampling),
            c: inputRequired.listRoots(),
          },
        });
      }), { legacy });
    server.prepare = (client) => registerInput(client, { handlers, server: "s", thread: null });
    const result = await threadRig({ s: server }).open({ id: "T" }).callTool("s", "ask");
    const text = JSON.stringify(result.content);
    for (const answer of ["me", "said", "file:///w"]) assert(text.includes(answer), text);
    assertEquals(who, [["s", "T", "ask"], ["s", "T", "ask"], ["s", "T", "ask"]]);
  }
});

test("a handler that fails ends the call with an error of ours, and what it said goes to nobody", async () => {
  const server = serveInProcess((one) =>
    one.registerTool("ask", {}, () =>
      inputRequired({
        inputRequests: {
          a: inputRequired.elicit({ message: "?", requestedSchema: { type: "object", properties: {} } }),
        },
      }))
  );
  server.prepare = (client) =>
    registerInput(client, {
      server: "s",
      thread: null,
      handlers: { elicit: () => Promise.reject(new Error("private")) },
    });
  const error = await threadRig({ s: server }).open().callTool("s", "ask").then(
    () => null,
    (thrown: unknown) => thrown as HostError,
  );
  assertEquals([error?.code, error?.message.includes("private")], ["INPUT_REQUIRED", false]);
  assert(!server.sent.join().includes("private"));
});
