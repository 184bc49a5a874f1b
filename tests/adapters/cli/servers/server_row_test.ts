import { assertEquals } from "@std/assert";
import { test } from "node:test";
import { serverRow, worstOf } from "../../../../adapters/cli/servers/server_row.ts";
import type { ServerReport } from "../../../../adapters/mcp/host/servers/server_report.ts";
import { faultOf } from "../../../../core/configuration/layers/fault.ts";
import { HostError } from "../../../../core/errors.ts";

const REPORT: ServerReport = {
  name: "a",
  kind: "stdio",
  transport: "stdio",
  environment: "local",
  enabled: true,
  state: "idle",
  era: null,
  protocol: null,
  acceptsSandbox: null,
  auth: "none",
  enterprise: null,
  tools: null,
  reason: null,
  faults: [],
  stderr: "",
};
const path = ["mcp_servers", "a", "command"];
const layer = { kind: "user", source: "/c.toml" } as const;
const fault = faultOf("FIELD_TYPE", { path, layer, state: "it must be a string." });

/** Code of the reason, and exit code. */
function standing(changes: Partial<ServerReport>, failure: HostError | null = null): readonly unknown[] {
  const { enabled, reason, exitCode } = serverRow({ ...REPORT, ...changes }, failure);
  return [enabled, reason?.code ?? null, exitCode];
}

test("where a server stands is a reason and an exit code", () => {
  const signedOut = { kind: "signed-out", because: "not-signed-in" } as const;
  const off = { kind: "disabled", code: "FEATURE_OFF", field: "f", layer: null } as const;
  const said = (code: string) => ({ code, message: "m" });
  assertEquals(standing({}), [true, null, 0]);
  assertEquals(standing({ state: "ready" }), [true, null, 0]);
  assertEquals(standing({ enabled: false, state: "disabled" }), [false, null, 0]);
  const switchedOff = {
    enabled: false,
    state: "disabled",
    enterprise: signedOut,
    reason: said("signed-out"),
  } as const;
  assertEquals(standing(switchedOff), [false, null, 0]);
  const faulty = { state: "disabled", faults: [fault], reason: said("FIELD_TYPE") } as const;
  assertEquals(standing(faulty), [true, "FIELD_TYPE", 3]);
  assertEquals(standing({ state: "disabled", enterprise: off, reason: said("disabled") }), [
    true,
    "disabled",
    3,
  ]);
  assertEquals(standing({ state: "failed", reason: said("SERVER_TIMEOUT") }), [true, "SERVER_TIMEOUT", 5]);
  assertEquals(standing({ state: "failed", reason: said("SERVER_DISABLED") }), [true, "SERVER_DISABLED", 3]);
  assertEquals(
    standing({ state: "failed", enterprise: signedOut, reason: said("signed-out") }),
    [true, "signed-out", 4],
  );
  assertEquals(standing({ state: "ready" }, new HostError("PROTOCOL_ERROR", "m")), [
    true,
    "PROTOCOL_ERROR",
    1,
  ]);
});

test("the highest exit code is the worst", () => {
  assertEquals([worstOf([]), worstOf([{ exitCode: 4 }, { exitCode: 5 }, { exitCode: 0 }])], [0, 5]);
});
