import { test } from "node:test";
import { assertEquals, assertStrictEquals } from "@std/assert";
import {
  HOST_KEYS,
  SANDBOX_LAUNCHER_KEY,
  SANDBOX_STATE_KEY,
  SANDBOX_STATE_META_KEY,
} from "../../../core/sandbox/keys.ts";
import { CAPTURES } from "../../fixtures/captures/mod.ts";

test("keys: as they stand on the wire", () => {
  assertStrictEquals(SANDBOX_STATE_KEY, "codex/sandbox-state");
  assertStrictEquals(SANDBOX_STATE_META_KEY, "codex/sandbox-state-meta");
  assertStrictEquals(SANDBOX_LAUNCHER_KEY, "codex/sandbox-launcher");
});

test("keys: every codex/ key of every capture is one of the three", () => {
  const seen = new Set(
    CAPTURES.flatMap(({ meta }) => Object.keys(meta)).filter((key) => key.startsWith("codex/")),
  );
  assertEquals([...seen].sort(), [...HOST_KEYS].sort());
});
