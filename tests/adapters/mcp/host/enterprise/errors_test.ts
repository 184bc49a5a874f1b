import { assert, assertEquals, assertMatch } from "@std/assert";
import { test } from "node:test";
import {
  accountChanged,
  changedMeanwhile,
  closedError,
  connectError,
  connectionLost,
  threadError,
  tokenLate,
} from "../../../../../adapters/mcp/host/enterprise/errors.ts";
import { EnterpriseError } from "../../../../../core/enterprise/error.ts";

test("each error has its code and names who it is about", () => {
  const errors = [threadError("t\n1"), closedError(), changedMeanwhile("s"), accountChanged("s")];
  assertEquals(errors.map(({ code }) => code), [
    "THREAD_CLOSED",
    "HOST_CLOSED",
    "SUPERSEDED",
    "REAUTHORIZATION_REQUIRED",
  ]);
  assert(errors[0]?.message.includes('"t\\n1"'));
  const lost = connectionLost("s", "it is gone");
  assertEquals([lost.code, lost.server], ["CONNECTION_LOST", "s"]);
});

test("what the SDK throws is not shown, and what is ours stays", () => {
  const ours = new EnterpriseError("SUPERSEDED", "Cannot go on");
  assertEquals(connectError(ours, "s"), ours);
  const quoting = Object.assign(new Error("it wrote <secret>"), { code: "REQUEST_TIMEOUT" });
  const codes = [quoting, new Error("it wrote <secret>"), "text"].map((error) => {
    const shown = connectError(error, "s");
    assert(!`${shown.stack}${JSON.stringify(shown.cause)}`.includes("<secret>"));
    return shown.code;
  });
  assertEquals(codes, ["SERVER_TIMEOUT", "SERVER_UNAVAILABLE", "SERVER_UNAVAILABLE"]);
  const answered = Object.assign(new Error("a body"), { data: { status: 404, text: "a body" } });
  assert(connectError(answered, "s").message.endsWith("it answers 404"));
});

test("a command holds the name of a server only where it can be typed as it is", () => {
  assertMatch(tokenLate("notes-2"), /: codex-mcp doctor notes-2$/);
  assertMatch(tokenLate("a; b"), /: codex-mcp doctor NAME$/);
});
