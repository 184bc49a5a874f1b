import { assertEquals, assertThrows } from "@std/assert";
import { test } from "node:test";
import { chooseProvider } from "../../../../adapters/cli/enterprise/choose_provider.ts";
import { UsageError } from "../../../../adapters/cli/program/exit_code.ts";
import {
  type EnterpriseConfiguration,
  readConfiguration,
} from "../../../../core/enterprise/config/configuration.ts";
import { EnterpriseError } from "../../../../core/enterprise/error.ts";

const ONE = { issuer: "https://one.example", client_id: "c" };

function read(providers: unknown, kind: "user" | "project" = "user"): EnterpriseConfiguration {
  const values = { mcp_enterprise_managed_auth: providers };
  return readConfiguration([{ kind, source: "config.toml", values, codexFile: true }]);
}

test("the only one, or the named one", () => {
  assertEquals(chooseProvider(read({ idp: ONE }), undefined).issuer, "https://one.example");
  const two = read({ idp: ONE, idps: { acme: { ...ONE, issuer: "https://two.example" } } });
  assertEquals(chooseProvider(two, "acme").issuer, "https://two.example");
  assertEquals(chooseProvider(two, "default").issuer, "https://one.example");
});

test("several, and a name that is none, are a wrong command line that names them", () => {
  const two = read({ idp: ONE, idps: { acme: { ...ONE, issuer: "https://two.example" } } });
  for (const name of [undefined, "toString", "other"]) {
    const error = assertThrows(() => chooseProvider(two, name), UsageError);
    assertEquals(error.message.endsWith("default, acme."), true, error.message);
  }
});

test("a refused provider says which rule it breaks", () => {
  const fault = (configuration: EnterpriseConfiguration, name?: string): EnterpriseError =>
    assertThrows(() => chooseProvider(configuration, name), EnterpriseError);
  assertEquals(fault(read({ idp: { issuer: "https://one.example" } })).reason, "FIELD_MISSING");
  assertEquals(fault(read({ idp: ONE }, "project")).reason, "LAYER_NOT_TRUSTED");
  assertEquals(
    fault(read({ idp: ONE, idps: { acme: { issuer: "http://x.example", client_id: "c" } } }), "acme").reason,
    "URL_REFUSED",
  );
  const none = fault(readConfiguration([]));
  assertEquals([none.code, none.reason], ["CONFIGURATION_REFUSED", "PROVIDER_MISSING"]);
});
