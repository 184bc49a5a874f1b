import { assertEquals } from "@std/assert";
import { test } from "node:test";
import { REPOSITORY } from "../../../../scripts/docs/generated.ts";
import { DOCTOR_CHECKS } from "../../../../scripts/docs/troubleshooting/doctor.ts";
import { listFiles, readText } from "../../../../scripts/gates/tree.ts";

test("every check of the doctor is explained, and no other", () => {
  const files = listFiles(REPOSITORY, ["adapters/cli/doctor", "adapters/cli/commands/doctor.ts"]);
  const ids = files.flatMap((path) =>
    [...readText(REPOSITORY, path).matchAll(/\bid(?::| =) "([a-z-]+)"/g)].map(([, id = ""]) => id)
  );
  assertEquals([...new Set(ids)].sort(), Object.keys(DOCTOR_CHECKS).sort());
});
