import { test } from "node:test";
import { assertEquals } from "@std/assert";
import { catalogScope, mayReuseCatalog } from "../../../core/enterprise/catalog.ts";

test("catalogScope: an enterprise server's catalog is never shared", () => {
  for (const cacheScope of ["public", "private", undefined, null, "shared", true]) {
    assertEquals(catalogScope({ enterprise: true, cacheScope }), "thread-and-generation");
    const scope = catalogScope({ enterprise: false, cacheScope });
    assertEquals(scope, cacheScope === "public" ? "shared" : "thread-and-generation");
  }
});

test("mayReuseCatalog: the same thread, server, account and generation", () => {
  const owner = { thread: "t", server: "s", grantKey: "k", generation: "g" };
  assertEquals(mayReuseCatalog(owner, { ...owner }), true);
  for (const name of Object.keys(owner)) {
    assertEquals(mayReuseCatalog(owner, { ...owner, [name]: "other" }), false);
  }
});
