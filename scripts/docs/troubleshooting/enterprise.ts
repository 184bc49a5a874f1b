/**
 * Advice on the codes of enterprise-managed authorization.
 *
 * @module
 */

import type { EnterpriseErrorCode } from "../../../core/enterprise/error.ts";
import type { AdviceOn } from "./advice.ts";

const DOCTOR = "`codex-mcp doctor SERVER` asks both sides, without a secret, and compares.";
const CONNECT =
  "`codex-mcp doctor SERVER --connect` asks as a call does, with the credentials: without `--connect` none " +
  "is sent, and what is wrong with them is not seen.";
const STATUS = "`codex-mcp status` says it without asking anybody.";
const LOGIN = "Sign in: `codex-mcp login`.";
const KEYRING = "`codex-mcp doctor`: its check `keyring`. The `reason` is in " +
  "[the table](#reasons-of-a-keyring-that-cannot-be-used).";

/** Advice on the errors of enterprise-managed authorization. */
export const ENTERPRISE_ADVICE: AdviceOn<EnterpriseErrorCode> = {
  CONFIGURATION_REFUSED: {
    cause:
      "A field breaks a rule; the error's `reason` is one of the codes [below](#faults-of-the-configuration).",
    look: "`codex-mcp doctor` names file, line and field.",
    fix: "Correct that field.",
  },
  CONFIGURATION_UNAVAILABLE: {
    cause:
      "The managed configuration cannot be read at the moment: its file, or the program that supplies it.",
    look: STATUS,
    fix: "Try again; what was signed in stays so.",
  },
  SERVER_DISABLED: {
    cause:
      "`enabled = false`, or a rule: the `reason` is one of the codes [below](#faults-of-the-configuration).",
    look: STATUS,
    fix: "Correct the field that is named.",
  },
  EXTENSION_REQUIRED: {
    cause: "`require_extension = true`, and the server does not announce the extension.",
    look: "`codex-mcp servers` shows the protocol that the server speaks.",
    fix:
      "Update the server, or take `require_extension` out: the authorization works without the announcement.",
  },
  URL_REFUSED: {
    cause:
      "An address with `http:` that is not loopback, with a user name or a `#`, or one that leads from outside to " +
      "this machine.",
    look: DOCTOR,
    fix: "Use `https:`. On one machine, both the configured address and what it leads to are loopback.",
  },
  DISCOVERY_REFUSED: {
    cause:
      "An issuer that is spelled differently from what is published (a slash at the end counts after a path, and not " +
      "after a bare host), a server that publishes no metadata, or an identity provider for which ID-JAG is not " +
      "switched on.",
    look: DOCTOR,
    fix: "Write the issuer exactly as it is published, and have the administrator publish what is missing.",
  },
  EXCHANGE_REFUSED: {
    cause:
      "The identity provider answers, and its ID-JAG is not what was asked for: another audience, resource or " +
      "client, too many scopes, a clock that is wrong.",
    look: "The error's `reason`, in [the table](#reasons-of-a-refused-exchange); the doctor's check `clock`.",
    fix: "Have the administrator correct the provider's settings for this server.",
  },
  REDEMPTION_REFUSED: {
    cause:
      "The authorization server's answer is not what it may be: no bearer, more scopes than asked for, a token that " +
      "is bound to a key.",
    look: "The error's `reason`, in [the table](#reasons-of-a-refused-redemption).",
    fix: "Have whoever runs the server's authorization server correct it.",
  },
  IDENTITY_REFUSED: {
    cause:
      "Somebody else signed in than the host expects, the ID token is not for this client, or a renewed one names " +
      "another person.",
    look: "The error's `reason`, in [the table](#reasons-of-a-refused-identity).",
    fix: "Sign in with the account that is meant, and confirm it when you are asked.",
  },
  SIGN_IN_REQUIRED: { cause: "Nobody is signed in with this account, or no more.", look: STATUS, fix: LOGIN },
  STRONGER_SIGN_IN_REQUIRED: {
    cause: "The administrator asks for a second factor, or a more recent sign-in, for this server.",
    look: STATUS,
    fix: LOGIN,
  },
  REAUTHORIZATION_REQUIRED: {
    cause: "The account, the sign-in or the registration changed while a thread was open.",
    look: STATUS,
    fix: "Reconnect the thread, or open another one.",
  },
  ADMINISTRATOR_REFUSED: {
    cause:
      "The policy of the identity provider or of the authorization server does not give this person this server.",
    look: "The message says which of the two; so does the error's `leg`.",
    fix: "Ask the administrator for access.",
  },
  CLIENT_REFUSED: {
    cause: "A wrong client id or secret, or a method of client authentication that is not registered.",
    look: `${CONNECT} The error's \`leg\` says which client.`,
    fix:
      "For `token-exchange` correct the identity provider's `client_id`, secret and method; for `redemption` those " +
      "under the server's `oauth`.",
  },
  SCOPE_REFUSED: {
    cause: "The server asks for scopes that the configuration or the other side does not allow.",
    look: "The message, and the error's `leg`.",
    fix: "Configure `scopes` for the server, or have the administrator allow them.",
  },
  ASSERTION_REFUSED: {
    cause:
      "The authorization server does not accept the ID-JAG: it does not trust the identity provider, does not know " +
      "the person, expects another client id, or a clock is wrong.",
    look: `${CONNECT} Its check \`clock\` compares the clocks.`,
    fix: "Have the administrator of the MCP server add the identity provider and the person.",
  },
  TEMPORARILY_UNAVAILABLE: {
    cause: "The network, a proxy, an outage, a certificate that is not trusted, too many requests.",
    look: DOCTOR,
    fix: "Try again later. What was signed in stays so.",
  },
  SUPERSEDED: {
    cause: "A sign-in, a sign-out or a changed configuration came while a request was under way.",
    look: STATUS,
    fix: "Do it again; it then works with what is in force.",
  },
  GRANT_MALFORMED: {
    cause: "Another program changed the item in the keyring.",
    look: KEYRING,
    fix: LOGIN,
  },
  GRANT_VERSION_UNSUPPORTED: {
    cause: "A newer version of this program signed in.",
    look: KEYRING,
    fix: "Update this program, or sign in with it: `codex-mcp login`.",
  },
  GRANT_TOO_LARGE: {
    cause: "The identity provider's tokens are so large that a keyring of some system does not hold them.",
    look: "The message has size and limit.",
    fix: "Have the administrator put fewer claims, such as groups, into the ID token.",
  },
  MARKER_MALFORMED: {
    cause:
      "The record beside the lock, which says which sign-in is in force, was damaged or may not be read.",
    look: STATUS,
    fix: LOGIN,
  },
  RANDOM_MALFORMED: {
    cause: "A program that embeds this one gave random bytes or a digest of the wrong size.",
    look: "The program's own ports.",
    fix: "Give 16 random bytes and SHA-256.",
  },
  KEYRING_ABSENT: {
    cause:
      "No desktop session, as in a container or over SSH, no native module, or a runtime without the permission for it.",
    look: KEYRING,
    fix:
      "Start a keyring (see the [enterprise guide](enterprise/README.md#machines-without-a-desktop)), or, on Node, " +
      "`npm install @napi-rs/keyring@2 @rushstack/node-core-library@5`; on Deno, `--allow-ffi`.",
  },
  KEYRING_LOCKED: {
    cause: "The keyring was not unlocked, asks on a screen that nobody sees, or refuses this program.",
    look: KEYRING,
    fix: "Unlock it in the system's password manager and try again.",
  },
  KEYRING_UNRELIABLE: {
    cause: "Several items have one name, or the keyring gave back something else than was written.",
    look: KEYRING,
    fix: "Look at the items of `codex-mcp` in the system's password manager, delete them, and sign in again.",
  },
  LOCK_TIMEOUT: {
    cause: "Another process renews a sign-in and hangs.",
    look: "The processes of this user: another `codex-mcp`, or a program that uses this package.",
    fix: "Let it end, or end it. A lock of a process that is gone is taken over by itself.",
  },
};
