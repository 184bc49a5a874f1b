/**
 * Which platform Node runs on, as far as paths and limits are concerned.
 *
 * @module
 */

import process from "node:process";
import type { Platform } from "../../core/sandbox/path.ts";

/** The platform whose paths and limits apply here; every Unix but macOS counts as Linux. */
export function hostPlatform(): Platform {
  if (process.platform === "win32") return "windows";
  return process.platform === "darwin" ? "darwin" : "linux";
}
