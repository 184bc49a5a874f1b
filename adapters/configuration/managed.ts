/**
 * The managed configuration that an embedding program gives, as the strongest layer of all. That it cannot be loaded
 * and that it is invalid are two outcomes with different consequences.
 *
 * Its own code names the place, so that a workspace around the file says nothing; a file that others may write is
 * invalid. What its fields mean, and which of them make it invalid, is decided in `load_configuration.ts`.
 *
 * @module
 */

import { resolve } from "node:path";
import { clearTimeout, setTimeout } from "node:timers";
import type { ServerLayer } from "../../core/configuration/layer.ts";
import { faultOf } from "../../core/configuration/layers/fault.ts";
import type { LayerName } from "../../core/configuration/layers/layer.ts";
import { follow } from "../async/follow.ts";
import { parseConfiguration } from "./configuration_text.ts";
import { distrustOf } from "./layer_trust.ts";
import { malformed, unavailable } from "./policy_file.ts";
import { fingerprintOf, MAX_CONFIGURATION_BYTES, readConfigurationText, systemCode } from "./read_text.ts";
import type {
  LayerText,
  ManagedSource,
  RejectedConfiguration,
  UnavailableConfiguration,
  Watching,
} from "./source.ts";
import { watchFiles } from "./watch_files.ts";

/** The managed configuration as a layer. */
export interface LoadedManaged {
  /** Tells the outcomes apart. */
  readonly kind: "loaded";
  /** The layer. */
  readonly layer: ServerLayer;
  /** Its text. */
  readonly text: LayerText;
}

/** What a loading depends on. */
export interface ManagedOptions {
  /** Gives the loading up. */
  readonly signal?: AbortSignal | undefined;
  /** Milliseconds that a callback may take; absent: 30 seconds. */
  readonly deadlineMs?: number;
  /** Where the fingerprint of a file goes, for {@linkcode watchManaged}. */
  readonly seen?: Map<string, string>;
}

/** Loads it. Rejects only with the reason of `signal`. Needs `--allow-read` on Deno for a file. */
export async function loadManaged(
  managed: ManagedSource,
  options: ManagedOptions = {},
): Promise<LoadedManaged | RejectedConfiguration | UnavailableConfiguration> {
  options.signal?.throwIfAborted();
  const outcome = managed.path === undefined
    ? await readCallback(managed, options)
    : await readFileText(resolve(managed.path), options);
  options.signal?.throwIfAborted();
  if (outcome.kind !== "text") return outcome;
  const layer: LayerName = { kind: "administrator", source: sourceOf(managed) };
  const parsed = await parseConfiguration(outcome.text);
  if (parsed.kind === "malformed") return malformed(parsed, layer);
  const { format, values } = parsed;
  return {
    kind: "loaded",
    layer: { ...layer, values, codexFile: format === "toml", format },
    text: { format, text: outcome.text },
  };
}

/** Calls `onChange` after the configuration has changed; `null` when it cannot be watched. */
export function watchManaged(
  managed: ManagedSource,
  { seen, onChange }: { readonly seen: Map<string, string>; readonly onChange: () => void },
): Watching | null {
  if (managed.path === undefined) return managed.watch?.(onChange) ?? null;
  const path = resolve(managed.path);
  return watchFiles(() => [path], { seen, onChange });
}

/** The name of its layer. */
function sourceOf(managed: ManagedSource): string {
  return managed.path === undefined ? managed.name ?? "managed configuration" : resolve(managed.path);
}

type Text = { readonly kind: "text"; readonly text: string };

async function readFileText(
  path: string,
  { seen }: ManagedOptions,
): Promise<Text | RejectedConfiguration | UnavailableConfiguration> {
  const read = await readConfigurationText(path);
  seen?.set(path, await fingerprintOf(read));
  const layer: LayerName = { kind: "administrator", source: path };
  if (read.kind === "missing") return unavailable(path, "ENOENT");
  if (read.kind === "failed") return unavailable(path, read.reason);
  const distrust = await distrustOf(path, { workspace: path, exception: null, fixed: true }).catch(
    systemCode,
  );
  if (distrust === "writable-by-others") {
    const state = "others may write it or a folder above it. Take that right away (chmod go-w).";
    const fault = faultOf("LAYER_NOT_TRUSTED", { path: [], layer, state });
    return { kind: "rejected", fault, faults: [fault] };
  }
  if (distrust !== null) return unavailable(path, distrust);
  if (read.kind === "text") return read;
  return malformed({
    kind: "malformed",
    format: "toml",
    line: null,
    state: "it is not UTF-8. Save it as UTF-8.",
  }, layer);
}

async function readCallback(
  managed: Extract<ManagedSource, { readonly path?: never }>,
  { signal, deadlineMs = 30_000 }: ManagedOptions,
): Promise<Text | UnavailableConfiguration> {
  const { controller, stop } = follow(...signal === undefined ? [] : [signal]);
  const source = sourceOf(managed);
  const ended = new Promise<UnavailableConfiguration>((resolve) => {
    controller.signal.addEventListener("abort", () => resolve(unavailable(source, "TIMEOUT")), {
      once: true,
    });
  });
  const timer = setTimeout(
    () => controller.abort(new DOMException("Out of time", "TimeoutError")),
    deadlineMs,
  );
  try {
    // what it throws may hold a secret: its place is taken by a code
    const text = Promise.resolve().then(() => managed.load(controller.signal)).then(
      (value): Text | UnavailableConfiguration => {
        if (typeof value !== "string") return unavailable(source, "SOURCE_FAILED");
        const size = new TextEncoder().encode(value).length;
        return size > MAX_CONFIGURATION_BYTES
          ? unavailable(source, "TOO_LARGE")
          : { kind: "text", text: value };
      },
      () => unavailable(source, "SOURCE_FAILED"),
    );
    return await Promise.race([text, ended]);
  } finally {
    clearTimeout(timer);
    stop();
  }
}
