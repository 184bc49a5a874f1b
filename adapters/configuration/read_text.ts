/**
 * Reads the text of a configuration file, with a limit.
 *
 * What it holds is decided in `configuration_text.ts`, whether it may be host policy where it is loaded.
 *
 * @module
 */

import { hexOf } from "../../core/enterprise/bytes.ts";
import type { DiskPort } from "../../core/ports/disk.ts";
import { DISK } from "../disk.ts";

/** Longest text that is read, in bytes. */
export const MAX_CONFIGURATION_BYTES: number = 1 << 20;

/** What became of the reading. */
export type ReadText =
  | { readonly kind: "text"; readonly text: string }
  /** It is there and is not UTF-8. */
  | { readonly kind: "no-text" }
  /** There is no such file. */
  | { readonly kind: "missing" }
  /** It is there and cannot be read: `NO_FILE`, `TOO_LARGE` or the system's code. */
  | { readonly kind: "failed"; readonly reason: string };

/** Reads the regular file at `path`. Never rejects. Needs `--allow-read` on Deno. */
export async function readConfigurationText(path: string, disk: DiskPort = DISK): Promise<ReadText> {
  try {
    const facts = await disk.facts(path);
    if (facts.kind !== "file") return { kind: "failed", reason: "NO_FILE" };
    if (facts.size > MAX_CONFIGURATION_BYTES) return { kind: "failed", reason: "TOO_LARGE" };
    return decodeText(await disk.read(path));
  } catch (error) {
    const reason = systemCode(error);
    return reason === "ENOENT" || reason === "ENOTDIR" ? { kind: "missing" } : { kind: "failed", reason };
  }
}

/** The code that the system gave with `error`; `"NOT_CAPABLE"` where Deno did not ask it; else `"UNKNOWN"`. */
export function systemCode(error: unknown): string {
  if (error instanceof Error && error.name === "NotCapable") return "NOT_CAPABLE";
  const code: unknown = error instanceof Error ? Reflect.get(error, "code") : undefined;
  return typeof code === "string" && /^[A-Z][A-Z0-9_]{0,40}$/.test(code) ? code : "UNKNOWN";
}

/** A text that is equal for equal outcomes and holds nothing of the file. */
export async function fingerprintOf(read: ReadText): Promise<string> {
  switch (read.kind) {
    case "text":
      return hexOf(
        new Uint8Array(await crypto.subtle.digest("SHA-256", new TextEncoder().encode(read.text))),
      );
    case "failed":
      return `failed ${read.reason}`;
    default:
      return read.kind;
  }
}

/** What the system's code means, to follow the name of a file in a sentence. */
export function reasonState(reason: string): string {
  switch (reason) {
    case "ENOENT":
      return "there is no such file";
    case "NO_FILE":
      return "it is no file";
    case "TOO_LARGE":
      return `it has more than ${MAX_CONFIGURATION_BYTES} bytes`;
    case "TIMEOUT":
      return "it did not come in time";
    case "NOT_CAPABLE":
      return "this program may not. Start Deno with --allow-read, --allow-env and --allow-sys=uid";
    case "SOURCE_FAILED":
      return "its source failed";
    default:
      return `the system says ${reason}`;
  }
}

function decodeText(bytes: Uint8Array): ReadText {
  try {
    return { kind: "text", text: new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes) };
  } catch {
    return { kind: "no-text" };
  }
}
