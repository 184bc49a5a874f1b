/**
 * `codex-mcp token`: a bearer for one configured enterprise server, for scripts. Standard output holds the bearer and
 * nothing else. How it is had is decided in `adapters/http/tokens/enterprise_tokens.ts`; nothing is kept beyond this
 * command.
 *
 * @module
 */

import { faultError } from "../../../core/configuration/layers/fault.ts";
import type { EnterpriseProvider } from "../../../core/enterprise/config/provider.ts";
import type { EnterpriseServer } from "../../../core/enterprise/config/server.ts";
import { EnterpriseError } from "../../../core/enterprise/error.ts";
import { providerKey } from "../../../core/enterprise/grant/key.ts";
import { createEnterpriseLegs } from "../../http/exchange/enterprise_legs.ts";
import { readBeforeSignIn } from "../../http/grants/store_sign_in.ts";
import { EnterpriseTokens } from "../../http/tokens/enterprise_tokens.ts";
import { withAdvice } from "../enterprise/advice.ts";
import { type EnterpriseParts, openEnterprise } from "../enterprise/parts.ts";
import type { Command } from "../program/command.ts";
import { EXIT, UsageError } from "../program/exit_code.ts";
import type { FlagNames, Flags } from "../program/flags.ts";
import type { CliRuntime } from "../program/runtime.ts";
import { print, printJson } from "../terminal/terminal.ts";

const HELP = `codex-mcp token [flags] SERVER [flags]

Prints a bearer for the server on standard output, and nothing else. It is good for that server's URL alone: send it
nowhere else, and write it nowhere.

  --timeout SECONDS  how long it may take (default 60)
  --config FILE      this file instead of config.toml in CODEX_HOME, in TOML or JSON
  --json             print one JSON document: { "server", "url", "token_type", "access_token" }

  curl --header @<(printf 'Authorization: Bearer %s' "$(codex-mcp token tracker)") URL

Exit codes: 3 refused, 4 sign-in needed, 5 unavailable.
`;

const FLAGS: FlagNames = { values: ["config", "timeout"] };

/** The command. */
export const TOKEN: Command = { help: HELP, flags: FLAGS, run: token, mixed: true };

const DEADLINE_MS = 60_000;

/** How long the work may go on after its result, in milliseconds. */
const IDLE_MS = 10_000;

/** What the work may take longer than its own deadline, so that the error says who did not answer. */
const MARGIN_MS = 1_000;

async function token(runtime: CliRuntime, flags: Flags): Promise<number> {
  const [name, ...more] = flags.rest;
  if (name === undefined) throw new UsageError("Which server? Write its name in the configuration.");
  if (more.length > 0) throw new UsageError("token takes one server.");
  const parts = await openEnterprise(runtime, flags);
  const { server, provider } = choose(parts, name);
  const milliseconds = flags.milliseconds("timeout") ?? DEADLINE_MS;
  const bearer = await withAdvice(
    `codex-mcp token ${server.name}`,
    () => bearerFor({ server, provider }, { parts, milliseconds }),
  );
  if (flags.has("json")) {
    printJson({ server: server.name, url: server.url, token_type: "Bearer", access_token: bearer });
  } else print(bearer);
  return EXIT.done;
}

interface Target {
  readonly server: EnterpriseServer;
  readonly provider: EnterpriseProvider;
}

function choose({ configuration }: EnterpriseParts, name: string): Target {
  const { servers, disabled, providers } = configuration;
  const refused = disabled.find((one) => one.name === name);
  if (refused !== undefined) throw faultError(refused.faults[0]);
  const server = servers.find((one) => one.name === name);
  const provider = providers.find((one) => one.name === server?.provider);
  if (server === undefined || provider === undefined) {
    const names = [...servers, ...disabled].map((one) => one.name).join(", ");
    throw new UsageError(
      `There is no enterprise server ${JSON.stringify(name)}. ${
        names === "" ? "None is configured." : `There is: ${names}.`
      }`,
    );
  }
  if (server.enabled) return { server, provider };
  throw new EnterpriseError(
    "SERVER_DISABLED",
    `Cannot use the server ${server.name}: it is switched off. Set mcp_servers.${server.name}.enabled to true.`,
    { field: `mcp_servers.${server.name}.enabled`, reason: "switched-off" },
  );
}

interface Making {
  readonly parts: EnterpriseParts;
  readonly milliseconds: number;
}

async function bearerFor({ server, provider }: Target, { parts, milliseconds }: Making): Promise<string> {
  const { http, sending: runtime, clock, digest, readSecret, configuration } = parts;
  const source = await parts.grants(provider);
  // a keyring that cannot be read is said, also where nobody is signed in; what is read is remembered
  await readBeforeSignIn(source, {
    probe: await providerKey({ issuer: provider.issuer, clientId: provider.client.clientId }, digest),
    signal: AbortSignal.timeout(milliseconds),
  });
  const tokens = new EnterpriseTokens({
    legs: createEnterpriseLegs({ http, clock, readSecret }),
    clock,
    digest,
    runtime,
    grants: () => source,
    deadline: milliseconds / 1000,
  });
  const use = { thread: "codex-mcp token", server: server.name };
  await tokens.loadConfiguration({
    ...configuration,
    servers: [server],
    providers: [provider],
    disabled: [],
  });
  await tokens.openThread(use);
  try {
    return await tokens.token(use, AbortSignal.timeout(milliseconds + MARGIN_MS));
  } finally {
    await endOf(tokens);
  }
}

/** Waits for what is still to be stored, as long as a keyring or a lock may take. */
async function endOf(tokens: Pick<EnterpriseTokens, "idle">): Promise<void> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<void>((resolve) => timer = setTimeout(resolve, IDLE_MS));
  await Promise.race([tokens.idle(), late]).finally(() => clearTimeout(timer));
}
