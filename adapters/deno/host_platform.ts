/**
 * Which platform Deno runs on, as far as paths and limits are concerned.
 *
 * @module
 */

import type { Platform } from "../../core/sandbox/path.ts";

/** The platform whose paths and limits apply here; every Unix but macOS counts as Linux. */
export function hostPlatform(): Platform {
  const { os } = Deno.build;
  return os === "windows" || os === "darwin" ? os : "linux";
}
