/**
 * A program that does with the keyring what its standard input says, one JSON value a line, on whatever runtime it is
 * run. `program.ts` starts it.
 *
 * @module
 */

import process from "node:process";
import { createInterface } from "node:readline";
import { inspect } from "node:util";
import type { KeyringSecrets } from "../../../adapters/keyring/secrets.ts";
import { EnterpriseError } from "../../../core/enterprise/error.ts";
import { type GrantRecord, rotateGrant } from "../../../core/enterprise/grant/record.ts";
import type { KeyringEntry } from "../../../core/ports/keyring.ts";

/** What can be asked. */
export type DriverRequest =
  /** The keyring port. */
  | { readonly ask: "describe" }
  | { readonly ask: "read" | "delete"; readonly entry: KeyringEntry; readonly aborted: boolean }
  | {
    readonly ask: "write";
    readonly entry: KeyringEntry;
    readonly secret: string;
    readonly aborted: boolean;
  }
  /** Stores a sign-in. */
  | { readonly ask: "sign-in"; readonly key: string; readonly record: GrantRecord }
  /** The grant, as it is read under the lock. */
  | { readonly ask: "grant"; readonly key: string }
  /** Takes the lock, answers, and never gives it back. */
  | { readonly ask: "hold" }
  /** Renews so many times at an identity provider that rotates; says how often it was refused. */
  | { readonly ask: "renew"; readonly key: string; readonly url: string; readonly times: number };

/** What is answered. */
export type DriverAnswer =
  | { readonly value: unknown }
  | { readonly code: string; readonly reason: string | undefined; readonly shown: string };

/** The identity provider of every grant here. */
export const PROVIDER = { issuer: "https://idp.example", client: { clientId: "client" } } as const;

/** The runtime is told by its own name: this program is one file for all. */
async function open(): Promise<KeyringSecrets> {
  const settings = JSON.parse(process.env["KEYRING_SETTINGS"] ?? "{}") as {
    readonly probeSeconds?: number;
    readonly answerSeconds?: number;
    readonly lockSeconds?: number;
  };
  const { createKeyring, openSecrets } = "Deno" in globalThis
    ? await import("../../../adapters/deno/keyring.ts")
    : await import("../../../adapters/node/keyring.ts");
  return openSecrets({ keyring: createKeyring(settings), ...settings });
}

async function answer(secrets: KeyringSecrets, request: DriverRequest): Promise<unknown> {
  const { keyring } = secrets;
  const signal = "aborted" in request && request.aborted ? AbortSignal.abort() : new AbortController().signal;
  const store = await secrets.grants(PROVIDER);
  switch (request.ask) {
    case "describe":
      return keyring.describe();
    case "read":
      return await keyring.read(request.entry, signal);
    case "delete":
      return await keyring.delete(request.entry, signal);
    case "write":
      await keyring.write(request.entry, { secret: request.secret, signal });
      return null;
    case "sign-in":
      await store.locked((grants) => grants.write(request.key, request.record), signal);
      return null;
    case "grant":
      return await store.locked((grants) => grants.read(request.key), signal);
    case "hold":
      return await new Promise((resolve, reject) => {
        store.locked(() => {
          resolve("held");
          return new Promise(() => setInterval(() => undefined, 1000));
        }, signal).catch(reject);
      });
    case "renew": {
      let refused = 0;
      for (let count = 0; count < request.times; count++) {
        refused += await store.locked(async (grants) => {
          const grant = await grants.read(request.key);
          if (grant === null) return 1;
          const response = await fetch(request.url, { method: "POST", body: grant.refreshToken });
          const text = await response.text();
          if (!response.ok) return 1;
          await grants.write(request.key, rotateGrant(grant, { refreshToken: text }));
          return 0;
        }, signal);
      }
      return refused;
    }
  }
}

const secrets = await open();
for await (const line of createInterface({ input: process.stdin })) {
  const result = await answer(secrets, JSON.parse(line) as DriverRequest).then(
    (value): DriverAnswer => ({ value }),
    (error: unknown): DriverAnswer => ({
      code: error instanceof EnterpriseError ? error.code : "none",
      reason: error instanceof EnterpriseError ? error.reason : undefined,
      shown: inspect(error, { depth: null, showHidden: true }),
    }),
  );
  process.stdout.write(`${JSON.stringify(result)}\n`);
}
