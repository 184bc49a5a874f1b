import { assertEquals } from "@std/assert";
import { constants } from "node:os";
import { test } from "node:test";
import {
  EXIT,
  exitCodeOf,
  hostExitCode,
  signalExitCode,
  UsageError,
} from "../../../../adapters/cli/program/exit_code.ts";
import { MissingPackageError } from "../../../../adapters/cli/program/missing_package.ts";
import { InterruptedError } from "../../../../adapters/cli/terminal/interruption.ts";
import { EnterpriseError, type EnterpriseErrorCode } from "../../../../core/enterprise/error.ts";
import {
  HostError,
  type HostErrorCode,
  JsonError,
  ProcessError,
  SandboxError,
} from "../../../../core/errors.ts";

test("the exit codes are these", () => {
  assertEquals(EXIT, { done: 0, failed: 1, usage: 2, refused: 3, signIn: 4, unavailable: 5, chain: 125 });
});

test("each kind of error has its exit code", () => {
  assertEquals(exitCodeOf(new UsageError("x")), 2);
  assertEquals(exitCodeOf(new SandboxError("LAUNCHER_INVALID", "x")), 3);
  assertEquals(exitCodeOf(new ProcessError("SPAWN_FAILED", "x")), 5);
  for (const error of [new JsonError("JSON_MALFORMED", "x"), new Error("x"), "text", undefined]) {
    assertEquals(exitCodeOf(error), 1);
  }
});

test("each code of an enterprise sign-in has its exit code", () => {
  const codes: Readonly<Record<number, readonly EnterpriseErrorCode[]>> = {
    3: [
      "CONFIGURATION_REFUSED",
      "ADMINISTRATOR_REFUSED",
      "CLIENT_REFUSED",
      "SCOPE_REFUSED",
      "IDENTITY_REFUSED",
    ],
    4: ["SIGN_IN_REQUIRED", "STRONGER_SIGN_IN_REQUIRED", "GRANT_MALFORMED"],
    5: [
      "TEMPORARILY_UNAVAILABLE",
      "KEYRING_ABSENT",
      "KEYRING_LOCKED",
      "CONFIGURATION_UNAVAILABLE",
      "LOCK_TIMEOUT",
    ],
  };
  for (const [exit, names] of Object.entries(codes)) {
    for (const code of names) assertEquals(exitCodeOf(new EnterpriseError(code, "x")), Number(exit), code);
  }
});

test("each code of a host has its exit code", () => {
  const codes: Readonly<Record<number, readonly HostErrorCode[]>> = {
    1: [
      "PROTOCOL_ERROR",
      "RESULT_INVALID",
      "INPUT_REQUIRED",
      "CALL_CANCELLED",
      "HOST_CLOSED",
      "THREAD_CLOSED",
    ],
    2: ["SERVER_UNKNOWN", "TOOL_UNKNOWN"],
    3: ["CONFIGURATION_INVALID", "SERVER_DISABLED", "TOOL_DISABLED"],
    5: ["SERVER_UNAVAILABLE", "SERVER_TIMEOUT", "CONNECTION_LOST", "CALL_TIMEOUT"],
  };
  for (const [exit, names] of Object.entries(codes)) {
    for (const code of names) {
      assertEquals(
        [exitCodeOf(new HostError(code, "x")), hostExitCode(code)],
        [Number(exit), Number(exit)],
        code,
      );
    }
  }
  assertEquals([hostExitCode("OTHER"), hostExitCode("toString")], [1, 1]);
});

test("a package that is missing is unavailable", () => {
  assertEquals(exitCodeOf(new MissingPackageError("x")), 5);
});

test("an interruption shows as the signal does, or as a failure", () => {
  assertEquals(exitCodeOf(new InterruptedError("x", "SIGINT")), 130);
  assertEquals(exitCodeOf(new InterruptedError("x", "SIGTERM")), 143);
  assertEquals(exitCodeOf(new InterruptedError("x", null)), 1);
});

test("a signal shows as shells show it on Linux", () => {
  const system = constants.signals as Readonly<Record<string, number>>;
  const names = [
    "SIGHUP",
    "SIGINT",
    "SIGQUIT",
    "SIGILL",
    "SIGTRAP",
    "SIGABRT",
    "SIGFPE",
    "SIGKILL",
    "SIGSEGV",
  ];
  for (const name of [...names, "SIGPIPE", "SIGALRM", "SIGTERM"]) {
    assertEquals(signalExitCode(name), 128 + system[name]!, name);
  }
  assertEquals([signalExitCode("SIGBUS"), signalExitCode("SIGUSR1"), signalExitCode("SIGUSR2")], [
    135,
    138,
    140,
  ]);
  assertEquals(signalExitCode("SIGOTHER"), 128);
});
