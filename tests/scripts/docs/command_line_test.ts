import { assert, assertEquals } from "@std/assert";
import { test } from "node:test";
import { COMMANDS } from "../../../adapters/cli/command_line.ts";
import { EXIT } from "../../../adapters/cli/program/exit_code.ts";
import { renderCommandLine } from "../../../scripts/docs/command_line.ts";

test("every command has its help, and every exit code its meaning", async () => {
  const page = await renderCommandLine();
  const headings = [...page.matchAll(/^## (\S+)$/gm)].map(([, name]) => name);
  assertEquals(headings, Object.keys(COMMANDS));
  for (const load of Object.values(COMMANDS)) assert(page.includes((await load()).help.trimEnd()));
  for (const code of [...Object.values(EXIT), 130]) {
    assert(page.includes(`\n| ${code} | `), `exit code ${code}`);
  }
});
