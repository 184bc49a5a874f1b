/**
 * The ways to sign in from a terminal: a browser on this machine, a browser anywhere with the callback pasted, another
 * device with a code, a token from standard input.
 *
 * What makes a sign-in valid is decided in `adapters/http/sign_in`.
 *
 * @module
 */

import type { EnterpriseProvider } from "../../../core/enterprise/config/provider.ts";
import { EnterpriseError } from "../../../core/enterprise/error.ts";
import { loginCommand } from "../../../core/enterprise/status/status_text.ts";
import { beginSignIn } from "../../http/sign_in/authorization_code.ts";
import { beginDeviceSignIn } from "../../http/sign_in/device.ts";
import type { SignedIn } from "../../http/sign_in/id_token.ts";
import { importIdToken, importRefreshToken } from "../../http/sign_in/import_token.ts";
import type { SignInContext } from "../../http/sign_in/session.ts";
import { UsageError } from "../program/exit_code.ts";
import type { Flags } from "../program/flags.ts";
import type { CliRuntime } from "../program/runtime.ts";
import { diagnose } from "../terminal/terminal.ts";
import { openBrowser } from "./browser.ts";
import { type CallbackListener, listenForCallback } from "./callback_listener.ts";
import type { EnterpriseParts } from "./parts.ts";

/** The flags that choose a way other than the browser. */
export const WAYS: readonly ["no-browser", "device", "id-token-stdin", "refresh-token-stdin"] = [
  "no-browser",
  "device",
  "id-token-stdin",
  "refresh-token-stdin",
];

/** A way to sign in. */
export type LoginWay = "browser" | typeof WAYS[number];

/** The way that the flags choose. Throws a `UsageError` when they choose several. */
export function wayOf(flags: Pick<Flags, "has">): LoginWay {
  const [way = "browser", other] = WAYS.filter((name) => flags.has(name));
  if (other === undefined) return way;
  throw new UsageError(`--${way} and --${other} exclude each other.`);
}

/** What is asked for by the ways that take a token. */
const TOKENS: Readonly<Partial<Record<LoginWay, string>>> = {
  "id-token-stdin": "The ID token",
  "refresh-token-stdin": "The refresh token",
};

/** What a sign-in is made with. */
export interface LoginContext {
  /** This process. */
  readonly runtime: CliRuntime;
  /** What the command works with. */
  readonly parts: EnterpriseParts;
  /** Where it is made. */
  readonly provider: EnterpriseProvider;
  /** Ends it. */
  readonly signal: AbortSignal;
}

/**
 * Signs in.
 *
 * @throws {EnterpriseError} `SIGN_IN_REQUIRED` when nobody signed in in time, or a given token is no longer good.
 * @throws {EnterpriseError} `ADMINISTRATOR_REFUSED` when it was denied.
 * @throws {EnterpriseError} `IDENTITY_REFUSED` when the ID token fails a check.
 * @throws {EnterpriseError} `ASSERTION_REFUSED` when what came back is not the answer to this sign-in.
 * @throws {EnterpriseError} `CLIENT_REFUSED` when the registration is refused.
 * @throws {EnterpriseError} `DISCOVERY_REFUSED` when the provider's metadata is refused or lacks what the way needs.
 * @throws {EnterpriseError} `TEMPORARILY_UNAVAILABLE` when the provider does not answer, or the port is taken.
 */
export async function signInBy(
  way: LoginWay,
  { runtime, parts, provider, signal }: LoginContext,
): Promise<SignedIn> {
  const what = TOKENS[way];
  const token = what === undefined ? null : await inTime(parts.input.secret(what), { provider, signal });
  const metadata = await parts.discover(provider, signal);
  const { http, clock, readSecret } = parts;
  const context: SignInContext = { provider, metadata, http, clock, readSecret, signal };
  if (token !== null) {
    return await (way === "id-token-stdin" ? importIdToken : importRefreshToken)(context, token);
  }
  if (way === "device") return await byDevice(context);
  return await byBrowser(context, { runtime, parts, open: way === "browser" });
}

async function byDevice(context: SignInContext): Promise<SignedIn> {
  const device = await beginDeviceSignIn(context);
  diagnose(`Open this page on any device and enter the code ${device.userCode}:`);
  diagnose(device.verificationUri);
  if (device.completeUri !== null) diagnose(`or, with the code in it:\n${device.completeUri}`);
  return await device.finish();
}

interface Browsing {
  readonly runtime: CliRuntime;
  readonly parts: EnterpriseParts;
  readonly open: boolean;
}

/** The callback comes to the loopback address, or, without a browser here, from standard input: the first counts. */
async function byBrowser(context: SignInContext, browsing: Browsing): Promise<SignedIn> {
  const listener = await listenForCallback(context.provider.redirectPort);
  try {
    return await comeBackTo(listener, context, browsing);
  } finally {
    await listener.close();
  }
}

async function comeBackTo(
  listener: CallbackListener,
  context: SignInContext,
  { runtime, parts, open }: Browsing,
): Promise<SignedIn> {
  const { redirectUri } = listener;
  const pending = await beginSignIn(context, redirectUri);
  diagnose("Sign in on this page:");
  diagnose(pending.url);
  const came = [listener.callback(stateOf(pending.url))];
  if (open) {
    void openBrowser(runtime, listener.entrance(pending.url)).catch(() => false).then((opened) => {
      if (!opened) {
        diagnose("No browser could be opened here. Open the page yourself, or stop and add --no-browser.");
      }
    });
  } else {
    diagnose("Then paste the address that the browser ends up at, also if it shows an error there:");
    came.push(pasted(parts, redirectUri));
  }
  const hint = "If the browser showed an error, check client_id, and the redirect URI of the registration. ";
  return await pending.finish(await inTime(Promise.race(came), { ...context, hint }));
}

/** The `state` that the callback must carry. */
function stateOf(page: string): string {
  return new URL(page).searchParams.get("state") ?? "";
}

async function pasted({ input }: EnterpriseParts, redirectUri: string): Promise<URL> {
  for (let line = await input.line(); line !== null; line = await input.line()) {
    const text = line.trim();
    if (text.startsWith(`${redirectUri}?`) && URL.canParse(text)) return new URL(text);
    if (text !== "") diagnose(`That is not it. The address begins with ${redirectUri}?`);
  }
  return await new Promise<never>(() => {}); // nothing more can be pasted: the callback can still come by itself
}

/**
 * What a person does, if they do it in time.
 *
 * @throws {EnterpriseError} `SIGN_IN_REQUIRED` when `signal` is aborted before that.
 */
export async function inTime<Value>(
  person: Promise<Value>,
  { provider, signal, hint = "" }: Pick<LoginContext, "provider" | "signal"> & {
    /** What may have kept the person from it, a sentence; absent: nothing is known. */
    readonly hint?: string;
  },
): Promise<Value> {
  let reject: (reason: EnterpriseError) => void = () => {};
  const deadline = new Promise<never>((_resolve, rejectDeadline) => reject = rejectDeadline);
  const over = (): void => {
    const again = `nobody answered in time. ${hint}Run: ${loginCommand(provider.name)}`;
    const message = `Cannot sign in at ${JSON.stringify(provider.issuer)}: ${again}`;
    reject(new EnterpriseError("SIGN_IN_REQUIRED", message, { reason: "deadline" }));
  };
  if (signal.aborted) over();
  signal.addEventListener("abort", over, { once: true });
  try {
    return await Promise.race([person, deadline]);
  } finally {
    signal.removeEventListener("abort", over);
  }
}
