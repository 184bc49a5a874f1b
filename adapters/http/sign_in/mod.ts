/**
 * Signing in at an identity provider, over web APIs alone: in a browser, on another device, or with a token that was
 * got elsewhere. What comes of it is a record for the keyring; where it is kept is the host's to say.
 *
 * Nothing is read or started at import. Permission in Deno: `--allow-net` for the hosts that are reached.
 *
 * @module
 */

export { beginSignIn, type PendingSignIn } from "./authorization_code.ts";
export { type CommitOptions, type CurrentSignIn, recordOf } from "../grants/store_sign_in.ts";
export { beginDeviceSignIn, type DeviceSignIn } from "./device.ts";
export type { SignedIn } from "./id_token.ts";
export { importIdToken, importRefreshToken } from "./import_token.ts";
export type { SignInContext } from "./session.ts";
