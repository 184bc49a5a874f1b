import { test } from "node:test";
import { assertEquals } from "@std/assert";
import { mapFindings } from "../../../core/configuration/map_findings.ts";
import { readServers } from "../../../core/configuration/servers.ts";
import { layer } from "../enterprise/config/layers.ts";

test("mapFindings: every finding is changed, wherever it stands", () => {
  const configuration = readServers([layer({
    features: { use_xaa: 1 },
    mcp_servers: {
      a: { command: "x", colour: 1, args: 1, env: 1 },
      b: { url: "https://x", auth: "ema_auth", oauth: {} },
    },
  })]);
  const mapped = mapFindings(configuration, (found) => ({ ...found, line: 7 }));
  const all = [mapped, mapped.enterprise].flatMap(({ disabled, faults, warnings }) => [
    ...disabled.flatMap((one) => one.faults),
    ...faults,
    ...warnings,
  ]);
  assertEquals(all.length > 8, true);
  assertEquals(all.filter(({ line }) => line !== 7), []);
  assertEquals(mapFindings(mapped, (found) => found), mapped);
});
