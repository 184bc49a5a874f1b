import { test } from "node:test";
import { assertEquals } from "@std/assert";
import { catalogScope, mayReuseCatalog } from "../../../core/catalog/scope.ts";

const SCOPES = ["public", "private", undefined, null, "shared", "PUBLIC", true, 1, {}];

test("catalogScope: an enterprise server's catalog is never shared, whatever it says", () => {
  for (const era of ["modern", "legacy"] as const) {
    for (const cacheScope of SCOPES) {
      assertEquals(catalogScope({ enterprise: true, era, cacheScope }), "thread-and-generation");
    }
  }
});

test("catalogScope: a modern server has to say that its catalog is public", () => {
  for (const cacheScope of SCOPES) {
    const scope = catalogScope({ enterprise: false, era: "modern", cacheScope });
    assertEquals(scope, cacheScope === "public" ? "shared" : "context");
  }
});

test("catalogScope: a legacy server that says nothing is shared, and one that says anything else is not", () => {
  for (const cacheScope of SCOPES) {
    const scope = catalogScope({ enterprise: false, era: "legacy", cacheScope });
    const shared = cacheScope === "public" || cacheScope === undefined || cacheScope === null;
    assertEquals(scope, shared ? "shared" : "context");
  }
});

test("mayReuseCatalog: the same thread, server, account and generation", () => {
  const owner = { thread: "t", server: "s", grantKey: "k", generation: "g" };
  assertEquals(mayReuseCatalog(owner, { ...owner }), true);
  for (const name of Object.keys(owner)) {
    assertEquals(mayReuseCatalog(owner, { ...owner, [name]: "other" }), false);
  }
});
