import { assertEquals, assertThrows } from "@std/assert";
import { test } from "node:test";
import {
  type ConfigurationOutcome,
  NOT_LOADED,
  providerOf,
  refusalByWord,
  serverNamed,
  statusByWord,
} from "../../../../../../adapters/mcp/host/enterprise/accounts/configuration_outcome.ts";
import { HostError } from "../../../../../../core/errors.ts";
import { configurationOf } from "../../../../http/fake_legs.ts";

const FAULT = { field: "mcp_servers.notes.url", layer: null };

function wordOf(members: Readonly<Record<string, unknown>> = {}): ConfigurationOutcome {
  return { kind: "valid", loaded: configurationOf(members), fault: null };
}

test("a server that can be used is nobody's business here", () => {
  const outcome = wordOf();
  assertEquals([statusByWord(outcome, "notes"), refusalByWord(outcome, "notes")], [null, null]);
  assertEquals([serverNamed(outcome, "notes")?.name, providerOf(outcome, "notes")], ["notes", "default"]);
  assertEquals([serverNamed(NOT_LOADED, "notes"), providerOf(NOT_LOADED, "notes")], [undefined, null]);
});

test("no configuration, an invalid one, a disabled server and an unknown one are told apart", () => {
  const disabled = wordOf({ http_headers: { a: "b" } });
  const cases = [
    [NOT_LOADED, "configuration-unavailable", "CONFIGURATION_UNAVAILABLE"],
    [{ ...wordOf(), kind: "unavailable" }, "configuration-unavailable", "CONFIGURATION_UNAVAILABLE"],
    [{ ...wordOf(), kind: "rejected", fault: FAULT }, "configuration-rejected", "CONFIGURATION_REFUSED"],
    [disabled, "disabled", "SERVER_DISABLED"],
  ] as const;
  for (const [outcome, status, code] of cases) {
    assertEquals(statusByWord(outcome, "notes")?.kind, status);
    assertEquals(refusalByWord(outcome, "notes")?.code, code);
  }
  const rejected = refusalByWord({ ...wordOf(), kind: "rejected", fault: FAULT }, "notes");
  assertEquals(rejected !== null && "field" in rejected && rejected.field, FAULT.field);
  assertThrows(() => statusByWord(wordOf(), "other"), HostError);
  assertEquals(refusalByWord(wordOf(), "other")?.code, "SERVER_UNKNOWN");
});
