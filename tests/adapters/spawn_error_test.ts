import { assertEquals } from "@std/assert";
import { test } from "node:test";
import { spawnError } from "../../adapters/spawn_error.ts";

const refused = (code: string): Error => Object.assign(new Error("refused"), { code });

test("what lies at the two paths tells the missing ones apart", async () => {
  const paths = { executable: "/opt/tool", directory: "/work" };
  const codeFor = async (lacking: string, reason: string): Promise<string> => {
    const stat = (path: string): Promise<unknown> =>
      path.startsWith(lacking) ? Promise.reject(refused(reason)) : Promise.resolve({});
    return (await spawnError(refused("ENOENT"), paths, { stat })).code;
  };
  assertEquals(await codeFor("/work", "ENOENT"), "DIRECTORY_NOT_FOUND");
  assertEquals(await codeFor("/work", "EACCES"), "SPAWN_FAILED");
  assertEquals(await codeFor("/opt", "ENOENT"), "PROGRAM_NOT_FOUND");
  assertEquals(await codeFor("/nothing", ""), "PROGRAM_NOT_EXECUTABLE");
});

test("nothing is looked for where the code says enough", async () => {
  const stat = (): Promise<unknown> => Promise.reject(new Error("looked"));
  for (const [code, expected] of [["E2BIG", "ARGUMENTS_TOO_LARGE"], ["ENOEXEC", "PROGRAM_NOT_EXECUTABLE"]]) {
    const cause = refused(code ?? "");
    const error = await spawnError(cause, { executable: "/opt/tool", directory: "/work" }, { stat });
    assertEquals([error.code, error.cause], [expected, cause]);
  }
});
