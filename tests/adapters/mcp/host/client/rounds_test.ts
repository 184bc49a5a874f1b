import { assertEquals, assertRejects } from "@std/assert";
import { test } from "node:test";
import {
  MAX_ROUNDS,
  type NeededInput,
  type RoundAnswers,
  runRounds,
} from "../../../../../adapters/mcp/host/client/rounds.ts";
import { HostError } from "../../../../../core/errors.ts";

const isNeed = (answer: unknown): answer is NeededInput => typeof answer === "object" && answer !== null;

function rounds(answers: readonly unknown[]): {
  readonly log: string[];
  readonly sent: RoundAnswers[];
  run(first: NeededInput, refuseAt?: number): Promise<unknown>;
} {
  const log: string[] = [];
  const sent: RoundAnswers[] = [];
  return {
    log,
    sent,
    run: (first, refuseAt) => {
      let checks = 0;
      return runRounds(first, {
        server: "s",
        isNeed,
        proceed: () => {
          if (++checks === refuseAt) throw new Error("changed");
          log.push("check");
        },
        ask: (name) => {
          log.push(`ask ${name}`);
          return Promise.resolve(`answer to ${name}`);
        },
        send: (answer) => {
          log.push("send");
          sent.push(answer);
          return Promise.resolve(answers[sent.length - 1] ?? answers.at(-1));
        },
        pause: () => Promise.resolve(void log.push("pause")),
      });
    },
  };
}

test("each round checks, asks, checks again and sends what was answered and what was to come back", async () => {
  const one = rounds([{ inputRequests: {}, requestState: "two" }, "done"]);
  const result = await one.run({ inputRequests: { a: 1, __proto__x: 2 }, requestState: "one" });
  assertEquals(result, "done");
  assertEquals(one.log, [
    "check",
    "ask a",
    "ask __proto__x",
    "check",
    "send",
    "check",
    "pause",
    "check",
    "send",
  ]);
  assertEquals(one.sent, [
    { inputResponses: { a: "answer to a", __proto__x: "answer to __proto__x" }, requestState: "one" },
    { requestState: "two" },
  ]);
});

test("what may not go on asks nobody, and sends nothing", async () => {
  const before = rounds(["done"]);
  await assertRejects(() => before.run({ inputRequests: { a: 1 } }, 1), Error, "changed");
  assertEquals(before.log, []);
  const after = rounds(["done"]);
  await assertRejects(() => after.run({ inputRequests: { a: 1 } }, 2), Error, "changed");
  assertEquals(after.log, ["check", "ask a"]);
});

test("a server that never has enough is given up", async () => {
  const endless = rounds([{ inputRequests: {} }]);
  const error = await assertRejects(() => endless.run({ inputRequests: {} }), HostError);
  assertEquals([error.code, endless.sent.length], ["PROTOCOL_ERROR", MAX_ROUNDS]);
});
