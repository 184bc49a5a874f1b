/**
 * One file of the configuration as a layer: read with a limit, parsed, and judged whether it may be host policy.
 *
 * Which files there are is decided in `../enterprise_configuration.ts`; who may be trusted in `layer_trust.ts`.
 *
 * @module
 */

import { readFile, stat } from "node:fs/promises";
import type { ConfigurationLayer } from "../../../core/enterprise/config/layer.ts";
import { EnterpriseError } from "../../../core/enterprise/error.ts";
import { quote } from "../../../core/errors.ts";
import { distrustOf, type DistrustReason } from "./layer_trust.ts";
import { parseToml } from "./toml.ts";

/** Longest file that is read. */
const MAX_BYTES = 1 << 20;

/** A file that is meant to be host policy. */
export interface PolicyFile {
  /** Its absolute path; `null`: the system has no place for it. */
  readonly path: string | null;
  /** Whose layer it is meant to be. */
  readonly kind: "system" | "administrator" | "user";
  /** Whether it has to be there. */
  readonly required: boolean;
}

/** What became of a file. */
export interface ReadLayer {
  /** The layer; `null`: there is no file, or it is the project's and cannot be read. */
  readonly layer: ConfigurationLayer | null;
  /** Why the file is not what it is meant to be, one sentence; `null`: it is. */
  readonly remark: string | null;
}

const NOTHING: ReadLayer = { layer: null, remark: null };

const DISTRUST: Readonly<Record<DistrustReason, string>> = {
  "in-workspace": "it lies in the workspace. Move it out of there",
  "writable-by-others": "others may write it or a folder above it. Take that right away (chmod go-w)",
};

/**
 * Reads a file that is meant to be host policy. One that may not be is the project's layer, with a remark.
 *
 * @throws {EnterpriseError} `CONFIGURATION_REFUSED` when it is no TOML.
 * @throws {EnterpriseError} `CONFIGURATION_UNAVAILABLE` when it is there and cannot be read, or has to be there.
 */
export async function readPolicyLayer(
  { path, kind, required }: PolicyFile,
  { workspace, home }: { readonly workspace: string; readonly home: string },
): Promise<ReadLayer> {
  const text = path === null ? null : await readText(path, required);
  if (path === null || text === null) return NOTHING;
  const reason = await distrustOf(path, {
    workspace,
    exception: kind === "user" ? home : null,
    fixed: kind !== "user",
  });
  if (reason === null) {
    return {
      layer: { kind, source: path, values: await parseToml(text, path), codexFile: true },
      remark: null,
    };
  }
  const { layer, remark } = await projectLayer(text, path);
  return {
    layer,
    remark: remark ??
      `The configuration ${quote(path)} counts as the project's: ${DISTRUST[reason]}.`,
  };
}

/** Reads a project's own file. Never throws for what is in it: a project decides nothing here. */
export async function readProjectLayer(path: string): Promise<ReadLayer> {
  try {
    const text = await readText(path, false);
    return text === null ? NOTHING : await projectLayer(text, path);
  } catch (error) {
    return { layer: null, remark: remarkOf(error) };
  }
}

async function projectLayer(text: string, path: string): Promise<ReadLayer> {
  try {
    const values = await parseToml(text, path);
    return { layer: { kind: "project", source: path, values, codexFile: true }, remark: null };
  } catch (error) {
    return { layer: null, remark: remarkOf(error) };
  }
}

/** A project's file that cannot be read does not keep the person's own servers from working. */
function remarkOf(error: unknown): string {
  if (error instanceof EnterpriseError) return error.message;
  throw error;
}

/** The text of a regular file; `null` when there is none and none is required. */
async function readText(path: string, required: boolean): Promise<string | null> {
  const fail = (code: string, state: string): EnterpriseError =>
    new EnterpriseError(
      "CONFIGURATION_UNAVAILABLE",
      `Cannot read the configuration ${quote(path)}: ${state}.`,
      {
        reason: code,
      },
    );
  try {
    const facts = await stat(path);
    if (!facts.isFile()) throw fail("NO_FILE", "it is no file");
    if (facts.size > MAX_BYTES) throw fail("TOO_LARGE", `it has more than ${MAX_BYTES} bytes`);
    return await readFile(path, "utf8");
  } catch (error) {
    if (error instanceof EnterpriseError) throw error;
    const code = String(error instanceof Error ? Reflect.get(error, "code") : undefined);
    const missing = code === "ENOENT" || code === "ENOTDIR";
    if (missing && !required) return null;
    throw fail(code, missing ? "there is no such file" : `the system says ${code}`);
  }
}
