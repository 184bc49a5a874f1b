/**
 * The pure core against what JavaScript itself needs to write a state, and against the usual deep comparisons.
 *
 * @module
 */

import { dequal } from "dequal";
import fastDeepEqual from "fast-deep-equal";
import type { JsonObject, JsonValue } from "../../core/json/value.ts";
import { buildCallMeta } from "../../core/sandbox/call_meta.ts";
import { captureAuthority } from "../../core/sandbox/capture.ts";
import { planSandboxedCommand } from "../../core/sandbox/command.ts";
import { compareAuthority } from "../../core/sandbox/compare.ts";
import { buildSandboxState } from "../../core/sandbox/presets.ts";
import type { Row } from "./row.ts";
import { timeTogether } from "./timing.ts";

const CAPABILITIES = { experimental: { "codex/sandbox-state": {} } };
const LAUNCHER = "/opt/codex/bin/codex";

/** Rows for a state as Codex sends it and for one of a thousand entries. */
export function measureCore(): Promise<readonly Row[]> {
  return Promise.resolve([...rowsOf("1 KB", smallState()), ...rowsOf("110 KB", enlarge(smallState()))]);
}

/** A state as Codex sends it. */
export function smallState(): JsonObject {
  return buildSandboxState("workspace-write", {
    directory: "/home/dev/project",
    linuxSandboxExecutable: LAUNCHER,
  });
}

function rowsOf(size: string, state: JsonObject): readonly Row[] {
  const text = JSON.stringify(state);
  const wire = JSON.stringify(buildCallMeta({ capabilities: CAPABILITIES, state, launcher: LAUNCHER }));
  const meta: JsonValue = JSON.parse(wire);
  const again: JsonValue = JSON.parse(text);
  const capture = (from: unknown) => captureAuthority(from, { transport: "stdio" });
  const authority = capture(meta);
  const twin = capture(JSON.parse(wire));
  const reordered = capture({ ...meta as JsonObject, ...both(reorder(state)) });
  const time = timeTogether({
    build: () => buildCallMeta({ capabilities: CAPABILITIES, state, launcher: LAUNCHER }),
    capture: () => capture(meta),
    plan: () => planSandboxedCommand(authority, ["make", "test"]),
    spend: () => planSandboxedCommand(capture(meta), ["make", "test"]),
    same: () => compareAuthority(authority, twin),
    equal: () => compareAuthority(authority, reordered),
    stringify: () => JSON.stringify(state),
    dequal: () => dequal(state, again),
    fastDeepEqual: () => fastDeepEqual(state, again),
  });
  const row = (name: string, value: number, peer: string, peerValue: number): Row => ({
    name: `${name}, ${size} state`,
    value,
    unit: "µs",
    peer,
    peerValue,
  });
  return [
    row("build _meta", time.build, "JSON.stringify", time.stringify),
    row("capture", time.capture, "JSON.stringify", time.stringify),
    row("plan", time.plan, "JSON.stringify", time.stringify),
    {
      ...row("capture and plan", time.spend, "JSON.stringify", time.stringify),
      target: "at most 3x",
      met: time.spend <= 3 * time.stringify,
    },
    {
      ...row("compare, other order of members", time.equal, "dequal", time.dequal),
      target: "at most 1x",
      met: time.equal <= time.dequal,
    },
    row("compare, other order of members", time.equal, "fast-deep-equal", time.fastDeepEqual),
    {
      ...row("compare, identical text", time.same, "dequal", time.dequal),
      target: "at most 0.05x",
      met: time.same <= 0.05 * time.dequal,
    },
  ];
}

function both(state: JsonValue): JsonObject {
  return { "codex/sandbox-state": state, "codex/sandbox-state-meta": state };
}

/** The same value with its outer members in the opposite order, so that the texts differ from the start. */
function reorder(state: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(state).reverse());
}

/** The state with a thousand more entries in its policy. */
export function enlarge(state: JsonObject): JsonObject {
  const large = structuredClone(state) as {
    permissionProfile: { file_system: { entries: unknown[] } };
  };
  for (let i = 0; i < 1_000; i++) {
    const path = `/home/dev/project/packages/package-${i}/build/output`;
    large.permissionProfile.file_system.entries.push({ path: { type: "path", path }, access: "read" });
  }
  return large as unknown as JsonObject;
}
