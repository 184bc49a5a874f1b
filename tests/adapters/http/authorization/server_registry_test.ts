import { assertEquals } from "@std/assert";
import { test } from "node:test";
import { createDigest } from "../../../../adapters/http/transport/digest.ts";
import { serverEntries, ServerRegistry } from "../../../../adapters/http/authorization/server_registry.ts";
import { configurationOf, createFakeLegs, metadataOf } from "../fake_legs.ts";

test("what was found is kept for a server that stays the same, and for no other", async () => {
  const registry = new ServerRegistry();
  const entries = await serverEntries(configurationOf(), createDigest());
  const { facts } = createFakeLegs();
  registry.load(entries);
  assertEquals(registry.keep("notes", facts), null);
  registry.load(await serverEntries(configurationOf(), createDigest()));
  assertEquals([registry.facts("notes"), registry.find("notes")?.server.name], [facts, "notes"]);
  registry.load(await serverEntries(configurationOf({ scopes: ["other"] }), createDigest()));
  assertEquals(registry.facts("notes"), undefined);
  registry.load([]);
  assertEquals(registry.find("notes"), undefined);
});

test("another issuer or token endpoint than before has moved, and is not kept", async () => {
  const registry = new ServerRegistry();
  registry.load(await serverEntries(configurationOf(), createDigest()));
  const { facts } = createFakeLegs();
  registry.keep("notes", facts);
  const elsewhere = { ...facts, authorizationServer: metadataOf("https://other.example") };
  assertEquals(registry.keep("notes", elsewhere), "issuer");
  const moved = { ...facts, provider: { ...facts.provider, tokenEndpoint: "https://idp.example/other" } };
  assertEquals(registry.keep("notes", moved), "endpoint");
  assertEquals(registry.facts("notes"), facts);
  registry.forget("notes");
  assertEquals(registry.keep("notes", moved), null);
});
