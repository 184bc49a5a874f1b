/**
 * One file of the configuration as a layer: read with a limit, parsed, and judged whether it may be host policy.
 *
 * Which files there are is decided in `codex_configuration.ts` and `file_configuration.ts`; who may be trusted in
 * `layer_trust.ts`; what a text holds in `configuration_text.ts`.
 *
 * @module
 */

import { isForeignLayer } from "../../core/configuration/foreign.ts";
import type { ServerLayer } from "../../core/configuration/layer.ts";
import { faultOf } from "../../core/configuration/layers/fault.ts";
import type { LayerName } from "../../core/configuration/layers/layer.ts";
import { quote } from "../../core/errors.ts";
import { parseConfiguration, type ParsedConfiguration } from "./configuration_text.ts";
import { distrustOf, type DistrustReason, type TrustFacts } from "./layer_trust.ts";
import { fingerprintOf, readConfigurationText, reasonState, systemCode } from "./read_text.ts";
import type { LayerText, RejectedConfiguration, UnavailableConfiguration } from "./source.ts";

/** A file that is meant to be host policy, or a project's own. */
export interface PolicyFile {
  /** Its absolute path. */
  readonly path: string;
  /** Whose layer it is meant to be. */
  readonly kind: "system" | "administrator" | "user" | "project";
  /** Whether it has to be there. */
  readonly required: boolean;
  /** Whether somebody named it, so that it may be JSON, and may name ordinary servers when it is no host policy. */
  readonly named: boolean;
}

/** What became of a file. */
export type FileOutcome =
  | {
    readonly kind: "read";
    /** The layer; `null`: there is no file, or it is the project's and cannot be read. */
    readonly layer: ServerLayer | null;
    /** Its text; `null` where there is no layer. */
    readonly text: LayerText | null;
    /** Why the file is not what it is meant to be, one sentence; `null`: it is. */
    readonly remark: string | null;
    /** Equal for equal contents. */
    readonly fingerprint: string;
  }
  | (RejectedConfiguration & { readonly fingerprint: string })
  | (UnavailableConfiguration & { readonly fingerprint: string });

const DISTRUST: Readonly<Record<DistrustReason, string>> = {
  "in-workspace": "it lies in the workspace. Move it out of there",
  "writable-by-others": "others may write it or a folder above it. Take that right away (chmod go-w)",
};

/** Loads a file. One that may not be host policy is the project's layer, with a remark. Never rejects. */
export async function loadPolicyFile(
  { path, kind, required, named }: PolicyFile,
  trust: Omit<TrustFacts, "fixed">,
): Promise<FileOutcome> {
  const read = await readConfigurationText(path, trust.disk);
  const fingerprint = await fingerprintOf(read);
  const nothing = { kind: "read", layer: null, text: null, fingerprint } as const;
  if (read.kind === "missing" && !required) return { ...nothing, remark: null };
  if (read.kind === "missing" || read.kind === "failed") {
    const failure = unavailable(path, read.kind === "missing" ? "ENOENT" : read.reason);
    return kind === "project" ? { ...nothing, remark: failure.message } : { ...failure, fingerprint };
  }
  const fixed = kind !== "user";
  const distrust = kind === "project" ? null : await distrustOf(path, { ...trust, fixed }).catch(systemCode);
  if (distrust !== null && !isDistrust(distrust)) return { ...unavailable(path, distrust), fingerprint };
  const layerKind = distrust === null ? kind : "project";
  const parsed: ParsedConfiguration = read.kind === "no-text"
    ? { kind: "malformed", format: "toml", line: null, state: "it is not UTF-8. Save it as UTF-8." }
    : await parseConfiguration(read.text, named ? {} : { format: "toml" });
  if (parsed.kind === "malformed") {
    const failure = malformed(parsed, { kind: layerKind, source: path });
    if (layerKind !== "project" || named) return { ...failure, fingerprint };
    return { ...nothing, remark: `Cannot read the configuration ${quote(path)}: ${parsed.state}` };
  }
  const layer: ServerLayer = {
    kind: layerKind,
    source: path,
    values: parsed.values,
    codexFile: parsed.format === "toml",
    format: parsed.format,
    ...(layerKind === "project" && named ? { admitted: "named-file" } : {}),
  };
  const text = read.kind === "text" ? { format: parsed.format, text: read.text } : null;
  // the file of other hosts lies there by custom, and has nothing but ordinary servers
  const customary = named && distrust === "in-workspace" && isForeignLayer(layer);
  const remark = customary ? null : remarkOn(path, { distrust, named });
  return { kind: "read", layer, text, remark, fingerprint };
}

/** What is wrong with a text that its format does not allow. */
export function malformed(
  { line, state }: Extract<ParsedConfiguration, { readonly kind: "malformed" }>,
  layer: LayerName,
): RejectedConfiguration {
  const fault = {
    ...faultOf("FILE_MALFORMED", { path: [], layer, state }),
    ...(line === null ? {} : { line }),
  };
  return { kind: "rejected", fault, faults: [fault] };
}

/** A file or source that cannot be had. */
export function unavailable(source: string, reason: string): UnavailableConfiguration {
  const message = `Cannot read the configuration ${quote(source)}: ${reasonState(reason)}.`;
  return { kind: "unavailable", source, reason, message };
}

function isDistrust(text: string): text is DistrustReason {
  return Object.hasOwn(DISTRUST, text);
}

function remarkOn(
  path: string,
  { distrust, named }: { readonly distrust: DistrustReason | null; readonly named: boolean },
): string | null {
  if (distrust === null) return null;
  const rest = named ? " Its ordinary servers are used, and nothing else of it." : "";
  return `The configuration ${quote(path)} counts as the project's: ${DISTRUST[distrust]}.${rest}`;
}
