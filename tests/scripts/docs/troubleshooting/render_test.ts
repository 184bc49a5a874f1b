import { assert, assertEquals } from "@std/assert";
import { test } from "node:test";
import { readDocument } from "../../../../scripts/docs/document.ts";
import { REPOSITORY } from "../../../../scripts/docs/generated.ts";
import { ENTERPRISE_ADVICE } from "../../../../scripts/docs/troubleshooting/enterprise.ts";
import { FAULT_ADVICE, WARNING_ADVICE } from "../../../../scripts/docs/troubleshooting/faults.ts";
import { HOST_ADVICE } from "../../../../scripts/docs/troubleshooting/host.ts";
import { renderTroubleshooting } from "../../../../scripts/docs/troubleshooting/render.ts";
import {
  JSON_ADVICE,
  PROCESS_ADVICE,
  SANDBOX_ADVICE,
  SESSION_ADVICE,
} from "../../../../scripts/docs/troubleshooting/sandbox.ts";
import { STATUS_EXAMPLES } from "../../../../scripts/docs/troubleshooting/status.ts";
import { readText } from "../../../../scripts/gates/tree.ts";

const PAGE = renderTroubleshooting((path) => readText(REPOSITORY, path));

test("every error code has a heading of its own", () => {
  const advice = [
    SANDBOX_ADVICE,
    PROCESS_ADVICE,
    SESSION_ADVICE,
    HOST_ADVICE,
    ENTERPRISE_ADVICE,
    JSON_ADVICE,
  ];
  const codes = advice.flatMap((one) => Object.keys(one));
  const headings = [...PAGE.matchAll(/^### `(.*)`$/gm)].map(([, code]) => code);
  assertEquals(headings.sort(), codes.sort());
  const { anchors } = readDocument(PAGE);
  for (const code of codes) assert(anchors.has(code.toLowerCase()), code);
});

test("every fault, warning and status has a row", () => {
  const rows = [
    ...Object.keys(FAULT_ADVICE),
    ...Object.keys(WARNING_ADVICE),
    ...Object.keys(STATUS_EXAMPLES),
  ];
  for (const name of rows) assert(PAGE.includes(`| \`${name}\` `) || PAGE.includes(`| \`${name}\`: `), name);
});

test("exit codes are those of the command line", () => {
  const sections = PAGE.split(/^### /m);
  const codeOf = (code: string): string | undefined =>
    /Exit code:\*\* (\d+)/.exec(sections.find((one) => one.startsWith(`\`${code}\``)) ?? "")?.[1];
  assertEquals(["STATE_MISSING", "SIGN_IN_REQUIRED", "KEYRING_LOCKED", "TOOL_UNKNOWN"].map(codeOf), [
    "3",
    "4",
    "5",
    "2",
  ]);
});
