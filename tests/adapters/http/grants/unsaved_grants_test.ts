import { assert, assertEquals } from "@std/assert";
import { test } from "node:test";
import { UnsavedGrants } from "../../../../adapters/http/grants/unsaved_grants.ts";
import { recordOf } from "../fake_legs.ts";

const KEY = "a".repeat(64);

/** Tokens that are stored at the try with this number, counted from 1. */
function create(works: number) {
  const state = { tries: 0, slept: 0 };
  const clock = {
    sleep: async (seconds: number): Promise<boolean> => {
      state.slept += seconds;
      await new Promise((resolve) => setTimeout(resolve, 0));
      return true;
    },
  };
  const save = (keys: readonly string[]): Promise<void> => {
    assertEquals(keys, [KEY]);
    state.tries += 1;
    if (state.tries < works) return Promise.reject(new Error("down"));
    unsaved.records.delete(KEY);
    return Promise.resolve();
  };
  const unsaved = new UnsavedGrants({ save, clock });
  return { unsaved, state };
}

test("nothing is done while there is nothing to store", async () => {
  const { unsaved, state } = create(1);
  unsaved.saveLater();
  await unsaved.idle();
  assertEquals(state, { tries: 0, slept: 0 });
});

test("what there is is tried until it is stored, by one at a time", async () => {
  const { unsaved, state } = create(4);
  unsaved.records.set(KEY, recordOf());
  for (let asked = 0; asked < 5; asked += 1) unsaved.saveLater();
  while (unsaved.records.size > 0) await new Promise((resolve) => setTimeout(resolve, 0));
  assertEquals(state, { tries: 4, slept: 0.5 + 1 + 2 + 4 });
});

test("a store that stays down is given up in the end, sooner by whoever waits", async () => {
  const { unsaved, state } = create(Infinity);
  unsaved.records.set(KEY, recordOf());
  await unsaved.idle();
  assert(state.slept >= 10 && state.slept < 20, `${state.slept}`);
  const { unsaved: other, state: later } = create(Infinity);
  other.records.set(KEY, recordOf());
  other.saveLater();
  for (let last = -1; last < later.tries;) {
    last = later.tries;
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  assert(later.slept >= 600 && later.slept <= 630, `${later.slept}`);
  assertEquals([unsaved.records.size, other.records.size], [1, 1]);
});
