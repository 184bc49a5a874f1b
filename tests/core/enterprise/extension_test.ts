import { test } from "node:test";
import { assertEquals } from "@std/assert";
import {
  declareEnterpriseExtension,
  judgeExtension,
  withEnterpriseExtension,
} from "../../../core/enterprise/extension.ts";

const ID = "io.modelcontextprotocol/enterprise-managed-authorization";
const KEY = "io.modelcontextprotocol/clientCapabilities";

test("declareEnterpriseExtension: beside whatever is there", () => {
  assertEquals(declareEnterpriseExtension(), { [KEY]: { extensions: { [ID]: {} } } });
  const meta = { progressToken: 1, [KEY]: { roots: {}, extensions: { other: { a: 1 }, [ID]: { b: 2 } } } };
  const before = structuredClone(meta);
  assertEquals(declareEnterpriseExtension(meta), {
    progressToken: 1,
    [KEY]: { roots: {}, extensions: { other: { a: 1 }, [ID]: { b: 2 } } },
  });
  assertEquals(meta, before);
  assertEquals(declareEnterpriseExtension({ [KEY]: "x" }), { [KEY]: { extensions: { [ID]: {} } } });
  assertEquals(withEnterpriseExtension({ extensions: [] }), { extensions: { [ID]: {} } });
});

test("judgeExtension: advertised, unknown, or required and missing", () => {
  const capabilities = { extensions: { [ID]: {} } };
  const judge = (facts: Partial<Parameters<typeof judgeExtension>[0]>) =>
    judgeExtension({ capabilities, protocolVersion: "2026-07-28", required: false, ...facts });
  assertEquals(judge({}), "advertised");
  assertEquals(judge({ required: true }), "advertised");
  assertEquals(judge({ protocolVersion: "2027-01-01" }), "advertised");
  const missing = [
    { capabilities: {} },
    { capabilities: null },
    { capabilities: { extensions: { [ID]: true } } },
    { capabilities: { extensions: Object.create({ [ID]: {} }) } },
    { capabilities: { experimental: { [ID]: {} } } },
    { protocolVersion: "2025-11-25" },
    { protocolVersion: "later" },
  ];
  for (const facts of missing) {
    assertEquals([judge(facts), judge({ ...facts, required: true })], ["unknown", "required"]);
  }
});
