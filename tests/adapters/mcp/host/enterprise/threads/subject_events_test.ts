import { assertEquals, assertThrows } from "@std/assert";
import { test } from "node:test";
import type { EnterpriseServersEvent } from "../../../../../../adapters/mcp/host/enterprise/event.ts";
import { SubjectEvents } from "../../../../../../adapters/mcp/host/enterprise/threads/subject_events.ts";
import { EnterpriseError } from "../../../../../../core/enterprise/error.ts";

const USE = { thread: "one", server: "notes" };

test("that a sign-in is needed is told once, until something changes, and nothing else is", () => {
  const told: EnterpriseServersEvent[] = [];
  const events = new SubjectEvents(USE, {
    account: () => ({ user: "a", workspace: null }),
    onEvent: (event) => void told.push(event),
  });
  const needed = new EnterpriseError("SIGN_IN_REQUIRED", "Cannot use it: sign in");
  events.failed(new EnterpriseError("SUPERSEDED", "no"));
  events.failed(new Error("no"));
  events.failed(null);
  events.failed(new Error("outer", { cause: needed }));
  events.failed(needed);
  const event = {
    ...USE,
    account: { user: "a", workspace: null },
    kind: "sign-in-needed",
    code: "SIGN_IN_REQUIRED",
    message: needed.message,
  } as const;
  assertEquals(told, [event]);
  events.renew();
  events.failed(needed);
  assertEquals(told.length, 2);
});

test("nobody has to listen", () => {
  new SubjectEvents(USE, { account: () => null }).tell({ kind: "catalog-changed" });
});

test("what a listener throws reaches nobody who tells", () => {
  const later: (() => void)[] = [];
  const { queueMicrotask } = globalThis;
  const wrong = new Error("a listener");
  const events = new SubjectEvents(USE, {
    account: () => null,
    onEvent: () => {
      throw wrong;
    },
  });
  globalThis.queueMicrotask = (work) => void later.push(work);
  try {
    events.tell({ kind: "catalog-changed" });
  } finally {
    globalThis.queueMicrotask = queueMicrotask;
  }
  assertEquals(later.length, 1);
  assertEquals(assertThrows(() => later[0]?.()), wrong);
});
