import { assertEquals, assertThrows } from "@std/assert";
import { test } from "node:test";
import { checkSpawn, lacksInterpreter } from "../../core/check_spawn.ts";
import { ProcessError } from "../../core/errors.ts";

test("checkSpawn knows the absolute paths of each system", () => {
  const codeOf = (executable: string, windows: boolean): string => {
    const options = { environment: {}, stdin: "closed" } as const;
    const check = () => checkSpawn({ executable, args: [] }, options, { windows });
    return assertThrows(check, ProcessError).code;
  };
  for (const executable of ["C:\\codex.exe", "c:/codex.exe", "\\\\host\\share\\codex.exe"]) {
    checkSpawn({ executable, args: [] }, { environment: {}, stdin: "closed" }, { windows: true });
    assertEquals(codeOf(executable, false), "PROGRAM_NOT_FOUND");
  }
  checkSpawn({ executable: "/bin/sh", args: [] }, { environment: {}, stdin: "closed" }, { windows: false });
  for (const executable of ["/bin/sh", "codex.exe", "C:codex.exe", "\\codex.exe", ".\\codex.exe", ""]) {
    assertEquals(codeOf(executable, true), "PROGRAM_NOT_FOUND");
  }
});

test("lacksInterpreter tells programs from text that a shell would be given", () => {
  const encode = (text: string): Uint8Array => new TextEncoder().encode(text);
  assertEquals(lacksInterpreter(encode("")), true);
  assertEquals(lacksInterpreter(encode("echo hello\n")), true);
  assertEquals(lacksInterpreter(encode("#")), true);
  assertEquals(lacksInterpreter(encode("#!/bin/sh\n")), false);
  assertEquals(lacksInterpreter(encode("\u007fELF\u0002\u0001\u0001\0")), false);
});
