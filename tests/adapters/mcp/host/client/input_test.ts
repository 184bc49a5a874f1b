import { assertEquals } from "@std/assert";
import { test } from "node:test";
import { inputCapabilities } from "../../../../../adapters/mcp/host/client/input.ts";

test("what is answered is declared, and what the program declares itself counts more", () => {
  const answer = (): never => {
    throw new Error("not asked");
  };
  assertEquals(inputCapabilities({}), {});
  assertEquals(inputCapabilities({ elicit: answer, sample: answer, roots: answer }), {
    elicitation: { form: {}, url: {} },
    sampling: {},
    roots: {},
  });
  assertEquals(
    inputCapabilities({ elicit: answer }, { elicitation: { form: {} }, experimental: { x: {} } }),
    {
      elicitation: { form: {} },
      experimental: { x: {} },
    },
  );
});
