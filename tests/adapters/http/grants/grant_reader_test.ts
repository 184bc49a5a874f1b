import { assertEquals, assertRejects } from "@std/assert";
import { test } from "node:test";
import { GrantReader, type StateHolder } from "../../../../adapters/http/grants/grant_reader.ts";
import type { GrantSource, LockedGrants } from "../../../../adapters/http/grants/grant_source.ts";
import { MemoryGrantSource } from "../../../../adapters/http/grants/memory_grant_source.ts";
import { initialState } from "../../../../core/enterprise/authorization/state.ts";
import { transition } from "../../../../core/enterprise/authorization/transition.ts";
import { EnterpriseError } from "../../../../core/enterprise/error.ts";
import { keyOf, recordOf, store } from "../fake_legs.ts";

const signal = new AbortController().signal;

interface Made {
  readonly reader: GrantReader;
  readonly holder: StateHolder;
  readonly seen: string[];
  readonly source: MemoryGrantSource;
  readonly faults: { marker: boolean; keyring: boolean };
}

function create(ownerFrom: "host" | "sign-in" = "sign-in"): Made {
  let state = initialState(ownerFrom);
  const seen: string[] = [];
  const holder: StateHolder = {
    get state() {
      return state;
    },
    dispatch: (event) => {
      seen.push(event.kind);
      const step = transition(state, event);
      state = step.state;
      return step.effects;
    },
  };
  const source = new MemoryGrantSource();
  const faults = { marker: false, keyring: false };
  const faulty: GrantSource = {
    owned: true,
    marker: () =>
      faults.marker
        ? Promise.reject(new EnterpriseError("MARKER_MALFORMED", "Cannot read"))
        : source.marker(),
    locked: (work, given) =>
      source.locked((grants: LockedGrants) =>
        work({
          ...grants,
          read: (key) =>
            faults.keyring
              ? Promise.reject(new EnterpriseError("KEYRING_LOCKED", "Cannot read"))
              : grants.read(key),
        }), given),
  };
  return { reader: new GrantReader(holder, faulty), holder, seen, source, faults };
}

test("the grant is read when the marker changed, and only then", async () => {
  const { reader, seen, source } = create();
  await reader.sync(signal);
  await reader.sync(signal);
  assertEquals(seen, ["grant-missing"]);
  await store(source);
  await reader.sync(signal);
  await reader.sync(signal);
  assertEquals(seen, ["grant-missing", "grant-found"]);
  assertEquals(reader.signIn, { hasRefreshToken: true, idTokenExpiresAt: 9_000 });
});

test("a keyring that is locked: renewed tokens of the same sign-in wait, another sign-in is refused", async () => {
  const { reader, holder, source, faults } = create();
  await store(source);
  await reader.sync(signal);
  faults.keyring = true;
  await store(source, recordOf({ revision: 1 }));
  await reader.sync(signal);
  assertEquals([holder.state.keyring, holder.state.grant?.revision], ["locked", 0]);
  await store(source, recordOf({ generation: "02".repeat(16) }));
  assertEquals((await assertRejects(() => reader.sync(signal), EnterpriseError)).code, "KEYRING_LOCKED");
  faults.keyring = false;
  await reader.sync(signal);
  assertEquals([holder.state.keyring, holder.state.grant?.generation], ["open", "02".repeat(16)]);
});

test("a marker that cannot be read is reported, and so is that it can", async () => {
  const { reader, holder, faults } = create();
  faults.marker = true;
  await reader.sync(signal);
  assertEquals(holder.state.marker, "unreadable");
  faults.marker = false;
  await reader.sync(signal);
  assertEquals(holder.state.marker, "readable");
});

test("a host's own account is read, whoever signed in last", async () => {
  const { reader, holder, source } = create("host");
  await store(source);
  await reader.sync(signal);
  assertEquals(holder.state.grant, null, "a grant of nobody's was taken");
  holder.dispatch({ kind: "account-changed", owner: await keyOf() });
  await source.locked(
    (grants) => grants.write("f".repeat(64), recordOf({ generation: "02".repeat(16) })),
    signal,
  );
  await reader.sync(signal);
  assertEquals(holder.state.grant?.generation, "01".repeat(16));
});

test("an account whose grant could not be read is looked for again, although the marker is the same", async () => {
  const { reader, holder, source, faults } = create("host");
  await store(source);
  holder.dispatch({ kind: "account-changed", owner: "f".repeat(64) });
  await reader.sync(signal);
  holder.dispatch({ kind: "account-changed", owner: await keyOf() });
  faults.keyring = true;
  await assertRejects(() => reader.sync(signal), EnterpriseError);
  faults.keyring = false;
  await reader.sync(signal);
  assertEquals(holder.state.grant?.generation, "01".repeat(16));
});

test("use reads again under the lock, stores what rotates, and refuses another sign-in", async () => {
  const { reader, holder, source } = create();
  await store(source);
  await reader.sync(signal);
  const token = await reader.use(async (grant) => {
    await grant.rotate({ refreshToken: "refresh-1" });
    return grant.record.refreshToken;
  }, signal);
  assertEquals([token, holder.state.grant?.revision, (await source.marker())?.revision], ["refresh-1", 1, 1]);
  await store(source, recordOf({ generation: "02".repeat(16) }));
  const error = await assertRejects(() => reader.use(() => Promise.resolve(), signal), EnterpriseError);
  assertEquals([error.code, holder.state.grant?.generation], ["SUPERSEDED", "02".repeat(16)]);
});

test("that nobody is signed in, or that the grant is void, is taken from the marker without a lock", async () => {
  const { reader, holder, source } = create();
  await store(source);
  await reader.sync(signal);
  const locked = source.locked.bind(source);
  source.locked = () => Promise.reject(new EnterpriseError("LOCK_TIMEOUT", "Cannot wait"));
  const ending = { key: null, generation: "02".repeat(16) };
  await locked((grants) => grants.endSignIn(ending), signal);
  await reader.sync(signal);
  assertEquals([holder.state.grant, holder.state.gone], [null, "deleted"]);
});

test("what was read before something was revoked is read again, and the old one is not remembered", async () => {
  const { reader, holder, source, seen } = create("host");
  await store(source);
  holder.dispatch({ kind: "account-changed", owner: await keyOf() });
  const locked = source.locked.bind(source);
  let changes = 1;
  source.locked = (work, given) =>
    locked((grants) =>
      work({
        ...grants,
        read: async (key) => {
          const record = await grants.read(key);
          if (changes-- > 0) holder.dispatch({ kind: "configuration-rejected", field: "f", layer: null });
          return record;
        },
      }), given);
  await reader.sync(signal);
  assertEquals(holder.state.grant?.generation, "01".repeat(16));
  assertEquals(seen.filter((kind) => kind === "grant-found").length, 2);
  const [one, other] = [await keyOf(), "f".repeat(64)];
  source.locked = (work, given) =>
    locked((grants) =>
      work({
        ...grants,
        read: async (key) => {
          const record = await grants.read(key);
          holder.dispatch({ kind: "account-changed", owner: key === one ? other : one });
          return record;
        },
      }), given);
  const error = await assertRejects(() => reader.read(signal), EnterpriseError);
  assertEquals([error.code, holder.state.grant], ["SUPERSEDED", null]);
});
