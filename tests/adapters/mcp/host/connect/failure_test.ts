import {
  ProtocolError,
  SdkError,
  SdkErrorCode,
  SdkHttpError,
  UnsupportedProtocolVersionError,
} from "@modelcontextprotocol/client";
import { assert, assertEquals } from "@std/assert";
import { test } from "node:test";
import { describeFailure, failed, isPermanent } from "../../../../../adapters/mcp/host/connect/failure.ts";
import {
  redirected,
  RefusedRequestError,
} from "../../../../../adapters/mcp/host/connect/http/refused_request.ts";
import { UnreachableError } from "../../../../../adapters/mcp/host/connect/http/server_fetch.ts";
import { HostError, ProcessError, type ProcessErrorCode } from "../../../../../core/errors.ts";

const SECRET = "Bearer secret of the answer";

function http(status: number): SdkHttpError {
  return new SdkHttpError(SdkErrorCode.ClientHttpNotImplemented, SECRET, { status, text: SECRET });
}

function describe(error: unknown, ended: "ended" | "session" | null = null): readonly unknown[] {
  const state = ended === null ? null : { reason: ended, state: "it went away" } as const;
  const { failure, error: ours, era } = describeFailure(error, { server: "notes", ended: state });
  assert(ours instanceof HostError && ours.server === "notes" && ours.cause === undefined);
  assertEquals([ours.code, ours.message], [failure.code, failure.message]);
  assert(!`${ours.stack}${JSON.stringify([ours, failure])}`.includes("secret"), ours.message);
  assert(ours.message.startsWith('Cannot connect to the server "notes": '));
  return [failure.code, failure.reason, era, failure.status];
}

test("what the process port refused", () => {
  const reasons: readonly [ProcessErrorCode, string][] = [
    ["PROGRAM_NOT_FOUND", "program"],
    ["PROGRAM_NOT_EXECUTABLE", "program"],
    ["DIRECTORY_NOT_FOUND", "directory"],
    ["ARGUMENTS_TOO_LARGE", "spawn"],
    ["SPAWN_FAILED", "spawn"],
  ];
  for (const [code, reason] of reasons) {
    assertEquals(describe(new ProcessError(code, SECRET)), [
      "SERVER_UNAVAILABLE",
      reason,
      undefined,
      undefined,
    ]);
  }
});

test("a server that ended, whatever the SDK made of it", () => {
  for (const error of [new Error(SECRET), new SdkError(SdkErrorCode.RequestTimeout, SECRET)]) {
    assertEquals(describe(error, "ended"), ["SERVER_UNAVAILABLE", "ended", "ended", undefined]);
    assertEquals(describe(error, "session"), ["SERVER_UNAVAILABLE", "session", "ended", undefined]);
  }
  assertEquals(describe(new SdkError(SdkErrorCode.ConnectionClosed, SECRET))[1], "ended");
});

test("statuses: credentials, outages, others", () => {
  assertEquals(describe(http(401)), ["SERVER_UNAVAILABLE", "status", undefined, 401]);
  assertEquals(describe(http(404)), ["SERVER_UNAVAILABLE", "status", undefined, 404]);
  assertEquals(describe(http(503)), ["SERVER_UNAVAILABLE", "status", "confused", 503]);
  const { error } = describeFailure(http(401), { server: "notes", ended: null, unset: ["KEY", "OTHER"] });
  assert(error.message.endsWith('check its credentials; not set: "KEY", "OTHER"'), error.message);
});

test("what the protocol does not allow, and silence", () => {
  assertEquals(describe(new ProtocolError(-32_602, SECRET)), [
    "SERVER_UNAVAILABLE",
    "protocol",
    "refused",
    undefined,
  ]);
  const versions = { supported: ["1"], requested: "2" };
  assertEquals(describe(new UnsupportedProtocolVersionError(versions, SECRET))[2], "refused");
  assertEquals(describe(new SdkError(SdkErrorCode.RequestTimeout, SECRET)), [
    "SERVER_TIMEOUT",
    "timeout",
    "silent",
    undefined,
  ]);
  const cause = new SyntaxError(SECRET);
  const unusable = new SdkError(SdkErrorCode.EraNegotiationFailed, SECRET, { cause }, { cause });
  assertEquals(describe(unusable), ["SERVER_UNAVAILABLE", "protocol", "confused", undefined]);
  assertEquals(describe(new SdkError(SdkErrorCode.EraNegotiationFailed, SECRET))[2], undefined);
  for (const error of [new Error(SECRET), new TypeError(SECRET), SECRET, null]) {
    assertEquals(describe(error)[1], "protocol");
  }
});

test("no answer, with the system's code, however deep", () => {
  const unreachable = new UnreachableError(Object.assign(new Error(SECRET), { code: "ECONNREFUSED" }));
  const wrapped = new SdkError(SdkErrorCode.EraNegotiationFailed, SECRET, undefined, { cause: unreachable });
  for (const error of [unreachable, wrapped]) assertEquals(describe(error)[1], "network");
  const { error } = describeFailure(wrapped, { server: "notes", ended: null });
  assert(error.message.endsWith("there is no answer (ECONNREFUSED)"));
  const circle = new Error(SECRET);
  circle.cause = circle;
  assertEquals(describe(circle)[1], "protocol");
});

test("a request that was refused, with its code, however deep", () => {
  const unsafe = new RefusedRequestError("notes", {
    code: "SERVER_DISABLED",
    reason: "sending",
    state: "the runtime is unsafe",
  });
  for (
    const [error, expected] of [
      [redirected("notes", 307), ["SERVER_UNAVAILABLE", "redirect", undefined, 307]],
      [unsafe, ["SERVER_DISABLED", "sending", undefined, undefined]],
    ] as const
  ) {
    const wrapped = new SdkError(SdkErrorCode.EraNegotiationFailed, SECRET, undefined, { cause: error });
    for (const one of [error, wrapped]) assertEquals(describe(one), expected);
  }
});

test("what somebody has to change is not worth waiting for", () => {
  for (const reason of ["program", "directory", "variable", "header", "url", "sending"] as const) {
    assert(isPermanent({ reason }));
  }
  for (
    const reason of [
      "ended",
      "network",
      "status",
      "timeout",
      "protocol",
      "session",
      "spawn",
      "redirect",
    ] as const
  ) {
    assert(!isPermanent({ reason }));
  }
  const { failure } = failed("a\u001bb", { reason: "url", state: "it is wrong" });
  assertEquals(failure, {
    code: "SERVER_UNAVAILABLE",
    reason: "url",
    message: 'Cannot connect to the server "a\\u001bb": it is wrong',
  });
});
