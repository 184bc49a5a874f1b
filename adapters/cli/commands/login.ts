/**
 * `codex-mcp login`: signs the person in at an identity provider, shows who it is, and stores the sign-in in the
 * keyring. The ways to sign in are in `enterprise/login_ways.ts`; their rules in `adapters/http/sign_in`.
 *
 * Before anyone is sent to a browser, or a token is used, the keyring is tried, so that a sign-in is not made for
 * nothing.
 *
 * @module
 */

import { faultError } from "../../../core/configuration/layers/fault.ts";
import { featureOff } from "../../../core/enterprise/config/feature.ts";
import type { EnterpriseProvider } from "../../../core/enterprise/config/provider.ts";
import { epochText } from "../../../core/enterprise/epoch.ts";
import { EnterpriseError } from "../../../core/enterprise/error.ts";
import { providerKey } from "../../../core/enterprise/grant/key.ts";
import type { GrantRecord } from "../../../core/enterprise/grant/record.ts";
import { checkExpectedSubject } from "../../../core/enterprise/identity.ts";
import { readBeforeSignIn } from "../../http/grants/store_sign_in.ts";
import type { SignedIn } from "../../http/sign_in/id_token.ts";
import { commandOf, withAdvice } from "../enterprise/advice.ts";
import { chooseProvider } from "../enterprise/choose_provider.ts";
import { keepSignIn } from "../enterprise/keep_sign_in.ts";
import { inTime, signInBy, wayOf, WAYS } from "../enterprise/login_ways.ts";
import { type EnterpriseParts, KEYRING_MS, openEnterprise } from "../enterprise/parts.ts";
import type { Command } from "../program/command.ts";
import { EXIT, UsageError } from "../program/exit_code.ts";
import type { Flags } from "../program/flags.ts";
import type { CliRuntime } from "../program/runtime.ts";
import { shown } from "../terminal/shown.ts";
import { diagnose, print, printJson } from "../terminal/terminal.ts";

const HELP = `codex-mcp login [flags]

Signs in at the identity provider that the configuration names, in a browser unless a flag says otherwise, and keeps
the sign-in in the system's keyring. Every enterprise server of that provider uses it. Refused while use_xaa is off.

  --idp NAME             the identity provider, when there are several
  --no-browser           show the URL and take the address that the browser ends up at
  --device               sign in on another device with a code
  --id-token-stdin       take an ID token from standard input
  --refresh-token-stdin  take a refresh token from standard input; it is used, and may be replaced, at once
  --yes                  do not ask whether it is the right account
  --timeout SECONDS      how long to wait for the person (default 300)
  --config FILE          this file instead of config.toml in CODEX_HOME, in TOML or JSON
  --json                 print one JSON document: { "provider", "issuer", "account", "until", "servers" }

Exit codes: 3 refused, 4 nobody signed in in time, 5 keyring, network or identity provider unavailable.
`;

/** The command. */
export const LOGIN: Command = {
  help: HELP,
  flags: { switches: [...WAYS, "yes"], values: ["idp", "config", "timeout"] },
  run: (runtime, flags) => withAdvice(commandOf("login", flags), () => login(runtime, flags)),
};

const PERSON_MS = 300_000;

async function login(runtime: CliRuntime, flags: Flags): Promise<number> {
  if (flags.rest.length > 0) {
    throw new UsageError("login takes flags alone. A token comes on standard input.");
  }
  const way = wayOf(flags);
  const patience = flags.milliseconds("timeout") ?? PERSON_MS;
  const parts = await openEnterprise(runtime, flags);
  const provider = chooseProvider(parts.configuration, flags.value("idp"));
  requireUse(provider, { parts, json: flags.has("json") });
  const grants = await parts.grants(provider);
  const before = await readBeforeSignIn(grants, {
    probe: await providerKey({ issuer: provider.issuer, clientId: provider.client.clientId }, parts.digest),
    tryOut: true,
    signal: AbortSignal.timeout(KEYRING_MS),
  });
  const signal = AbortSignal.timeout(patience);
  const signedIn = await signInBy(way, { runtime, parts, provider, signal });
  if (!flags.has("yes")) await confirm(signedIn, { parts, before: before.record, provider, signal });
  const own = way !== "refresh-token-stdin";
  const { record, other } = await keepSignIn(grants, signedIn, { parts, provider, before, own });
  tell(record, { signedIn, parts, provider, json: flags.has("json") });
  if (other !== null && !flags.has("json")) diagnose(other);
  return EXIT.done;
}

/** A sign-in that no server can use is refused while the feature is off, and else begun with a word. */
function requireUse(
  provider: EnterpriseProvider,
  { parts: { configuration }, json }: { readonly parts: EnterpriseParts; readonly json: boolean },
): void {
  const { enabled, faults, servers } = configuration;
  if (!enabled) throw faultError(faults.find(({ field }) => field.startsWith("features")) ?? featureOff());
  if (json || servers.some((server) => server.provider === provider.name)) return;
  diagnose(
    `codex-mcp: No server that can be used names the identity provider ${JSON.stringify(provider.name)}: ` +
      "nothing will use this sign-in yet.",
  );
}

interface Confirmation {
  readonly parts: EnterpriseParts;
  readonly before: GrantRecord | null;
  readonly provider: EnterpriseProvider;
  readonly signal: AbortSignal;
}

/** Asks whether it is the right account, unless it is the one that was signed in before. */
async function confirm(signedIn: SignedIn, { parts, before, provider, signal }: Confirmation): Promise<void> {
  const again = before !== null && before.workspace === signedIn.owner.workspace &&
    checkExpectedSubject(signedIn.identity, before.subject).accepted;
  if (again) return;
  diagnose(`This is ${describe(signedIn)} at ${provider.issuer}.`);
  if (await inTime(parts.input.confirm("Store this sign-in?"), { provider, signal })) return;
  throw new EnterpriseError(
    "IDENTITY_REFUSED",
    "Cannot store the sign-in: nobody confirmed the account. Run it again and answer y, or add --yes.",
    { reason: "unconfirmed" },
  );
}

function describe({ name, owner, identity }: SignedIn): string {
  const who = name === identity.subject ? shown(name) : `${shown(name)} (${shown(identity.subject)})`;
  return owner.workspace === null ? who : `${who}, workspace ${shown(owner.workspace)},`;
}

interface Told {
  readonly signedIn: SignedIn;
  readonly parts: EnterpriseParts;
  readonly provider: EnterpriseProvider;
  readonly json: boolean;
}

function tell(record: GrantRecord, { signedIn, parts, provider, json }: Told): void {
  const servers = parts.configuration.servers.filter((server) => server.provider === provider.name);
  const names = servers.map(({ name }) => name);
  const until = record.refreshToken === null ? record.idTokenExpiresAt : null;
  if (json) {
    const account = { name: signedIn.name, user: record.user, workspace: record.workspace };
    printJson({ provider: provider.name, issuer: record.issuer, account, until, servers: names });
    return;
  }
  print(`Signed in as ${describe(signedIn).replace(/,$/, "")} at ${record.issuer}.`);
  if (until !== null) print(`Without a refresh token, until ${epochText(until)}.`);
  print(names.length === 0 ? "No server uses it yet." : `Servers that use it: ${names.join(", ")}.`);
}
