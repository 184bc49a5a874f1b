/**
 * Names for files that hold what a server sent. A server's own name is a wish: what it may not be is left out of it, so
 * that a name is one step below a folder, visible, and no device of Windows.
 *
 * @module
 */

/** What a name is made of. */
export interface NamedContent {
  /** URI of a resource, whose last step is the wish; absent: there is none. */
  readonly uri?: string | undefined;
  /** Its media type. */
  readonly mimeType?: string | undefined;
  /** What it is called without a wish: `"image"`. */
  readonly fallback: string;
}

/** Extensions by media type. */
const EXTENSIONS: ReadonlyMap<string, string> = new Map([
  ["image/png", "png"],
  ["image/jpeg", "jpg"],
  ["image/gif", "gif"],
  ["image/webp", "webp"],
  ["image/svg+xml", "svg"],
  ["audio/wav", "wav"],
  ["audio/x-wav", "wav"],
  ["audio/mpeg", "mp3"],
  ["audio/ogg", "ogg"],
  ["audio/mp4", "m4a"],
  ["application/json", "json"],
  ["application/pdf", "pdf"],
  ["application/zip", "zip"],
  ["text/plain", "txt"],
  ["text/markdown", "md"],
  ["text/html", "html"],
  ["text/css", "css"],
  ["text/csv", "csv"],
]);

/** Longest name, in characters: well below 255 bytes, with room for a number. */
const LONGEST = 60;

/**
 * A safe name.
 *
 * @example
 * ```ts
 * import { fileName } from "./file_name.ts";
 *
 * console.log(fileName({ uri: "file:///srv/../../etc/passwd", fallback: "resource" })); // passwd
 * console.log(fileName({ mimeType: "image/png", fallback: "image" })); // image.png
 * ```
 */
export function fileName({ uri, mimeType, fallback }: NamedContent): string {
  const wish = uri === undefined ? "" : safe(lastStep(uri));
  const type = (mimeType ?? "").split(";")[0]!.trim().toLowerCase();
  const extension = EXTENSIONS.get(type);
  if (wish === "") return extension === undefined ? fallback : `${fallback}.${extension}`;
  return /\.[^.]+$/.test(wish) || extension === undefined ? wish : `${wish}.${extension}`;
}

/** `name` with a number before its extension: `"a-2.png"`. */
export function numbered(name: string, number: number): string {
  const [, stem = name, extension = ""] = /^(.+?)(\.[^.]+)?$/.exec(name) ?? [];
  return `${stem}-${number}${extension}`;
}

function lastStep(uri: string): string {
  const path = uri.replace(/[?#].*$/s, "");
  const step = path.split(/[/\\]/).findLast((one) => one !== "" && !/^[^/]*:$/.test(one)) ?? "";
  try {
    // an escaped slash is one, too
    return decodeURIComponent(step).split(/[/\\]/).at(-1) ?? "";
  } catch {
    return step;
  }
}

function safe(name: string): string {
  const plain = name.normalize("NFC").replace(/[^\p{L}\p{N}._-]+/gu, "-").replace(/^[.-]+|[.-]+$/g, "");
  const [, stem = "", extension = ""] = /^(.*?)(\.[^.]{1,16})?$/su.exec(plain) ?? [];
  const cut = [...stem].slice(0, LONGEST).join("").replace(/[.-]+$/, "");
  if (cut === "") return "";
  return `${/^(con|prn|aux|nul|com\d|lpt\d)(\.|$)/i.test(cut) ? "_" : ""}${cut}${extension}`;
}
