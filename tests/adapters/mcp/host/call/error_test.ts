import {
  ProtocolError,
  SdkError,
  SdkErrorCode,
  SdkHttpError,
  UnauthorizedError,
} from "@modelcontextprotocol/client";
import { assert, assertEquals } from "@std/assert";
import { inspect } from "node:util";
import { test } from "node:test";
import { callError, ownErrorIn } from "../../../../../adapters/mcp/host/call/error.ts";
import { EnterpriseError } from "../../../../../core/enterprise/error.ts";
import type { HostError } from "../../../../../core/errors.ts";

const call = { server: "s", tool: "t", fromOutside: true } as const;

test("each error becomes one of ours, and a body is in none", () => {
  const body = "a body that is never quoted";
  const http = (status: number): SdkHttpError =>
    new SdkHttpError(SdkErrorCode.ClientHttpAuthentication, body, { status, statusText: body, text: body });
  const cases: readonly (readonly [unknown, string])[] = [
    [http(401), "SERVER_UNAVAILABLE"],
    [http(503), "SERVER_UNAVAILABLE"],
    [http(418), "PROTOCOL_ERROR"],
    [new UnauthorizedError(body), "SERVER_UNAVAILABLE"],
    [new SdkError(SdkErrorCode.ConnectionClosed, body), "CONNECTION_LOST"],
    [new SdkError(SdkErrorCode.InvalidResult, body), "PROTOCOL_ERROR"],
    [new TypeError(body, { cause: new Error(body) }), "CONNECTION_LOST"],
    [body, "CONNECTION_LOST"],
  ];
  for (const [error, code] of cases) {
    const ours = callError(error, call);
    assertEquals(ours.code, code);
    assert(!inspect(ours, { depth: 9, showHidden: true }).includes(body));
    assert(ours.message.startsWith('Cannot call "t" at "s": '));
  }
});

test("an error of the server keeps its code and its message, cut; one of the SDK's checks is another", () => {
  const long = new ProtocolError(-32000, "x".repeat(500));
  const ours = callError(long, call) as HostError;
  assertEquals([ours.code, ours.rpcCode, ours.server], ["PROTOCOL_ERROR", -32000, "s"]);
  assert(ours.message.length < 200 && ours.message.includes("xxx"));
  assertEquals(callError(long, { ...call, fromOutside: false }).code, "RESULT_INVALID");
});

test("an error of ours comes out as it is, whatever it is wrapped in", () => {
  const own = new EnterpriseError("SIGN_IN_REQUIRED", "Cannot use it");
  const wrapped = new Error("a", {
    cause: new SdkError(SdkErrorCode.SendFailed, "b", undefined, { cause: own }),
  });
  assertEquals([ownErrorIn(wrapped), callError(wrapped, call)], [own, own]);
  assertEquals([ownErrorIn(new Error("a")), ownErrorIn(null)], [null, null]);
});

test("a list that is too long for the SDK is the server's fault, and no lost connection", () => {
  const error = callError(new RangeError("Maximum call stack size exceeded"), { ...call, tool: null });
  assertEquals([error.code, error.message], [
    "PROTOCOL_ERROR",
    'Cannot list the tools of "s": its list is longer than this host takes',
  ]);
});
