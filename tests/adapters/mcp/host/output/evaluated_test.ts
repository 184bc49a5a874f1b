import { assertEquals } from "@std/assert";
import { test } from "node:test";
import { addEvaluated, nothingEvaluated } from "../../../../../adapters/mcp/host/output/evaluated.ts";

test("what one has looked at is added to what the other has", () => {
  const [to, from] = [nothingEvaluated(), nothingEvaluated()];
  to.names.add("a");
  from.names.add("a").add("b");
  from.places.add(3);
  assertEquals(addEvaluated(to, from), 3);
  assertEquals([[...to.names], [...to.places]], [["a", "b"], [3]]);
});
