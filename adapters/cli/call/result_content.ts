/**
 * What a tool's result holds, for a command line: text, data for files, links. MCP 2025-11-25 and 2026-07-28, content
 * of a tool result.
 *
 * @module
 */

import { isJsonObject, ownProperty } from "../../../core/json/value.ts";
import type { NamedContent } from "./file_name.ts";

/** A part of a result. */
export type ResultPart =
  /** Text. */
  | { readonly kind: "text"; readonly text: string }
  /** Data for a file. */
  | { readonly kind: "file"; readonly content: NamedContent; readonly bytes: Uint8Array }
  /** Something that is elsewhere. */
  | { readonly kind: "link"; readonly uri: string }
  /** What cannot be shown; `what` names it. */
  | { readonly kind: "unknown"; readonly what: string };

/** The parts of `content`, in its order. */
export function partsOf(content: readonly unknown[]): readonly ResultPart[] {
  return content.map(partOf);
}

function partOf(block: unknown): ResultPart {
  const type = textAt(block, "type") ?? "";
  const text = textAt(block, "text");
  if (type === "text" && text !== undefined) return { kind: "text", text };
  if (type === "image" || type === "audio") {
    return filePart(block, { mimeType: textAt(block, "mimeType"), fallback: type }, textAt(block, "data"));
  }
  const resource = ownProperty(block, "resource");
  if (type === "resource" && isJsonObject(resource)) {
    const mimeType = textAt(resource, "mimeType");
    const content = { uri: textAt(resource, "uri"), mimeType, fallback: "resource" };
    const inside = textAt(resource, "text");
    return inside === undefined
      ? filePart(block, content, textAt(resource, "blob"))
      : { kind: "file", content, bytes: new TextEncoder().encode(inside) };
  }
  const uri = textAt(block, "uri");
  if (type === "resource_link" && uri !== undefined) return { kind: "link", uri };
  return { kind: "unknown", what: type === "" ? "a part without a type" : `a part of the type ${type}` };
}

function filePart(block: unknown, content: NamedContent, base64: string | undefined): ResultPart {
  const bytes = base64 === undefined ? null : decode(base64);
  const what = `${textAt(block, "type")} data that is not base64`;
  return bytes === null ? { kind: "unknown", what } : { kind: "file", content, bytes };
}

function decode(base64: string): Uint8Array | null {
  try {
    return Uint8Array.from(atob(base64), (character) => character.charCodeAt(0));
  } catch {
    return null;
  }
}

function textAt(value: unknown, key: string): string | undefined {
  const found = ownProperty(value, key);
  return typeof found === "string" ? found : undefined;
}
