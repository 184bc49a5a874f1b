/**
 * Reads one Markdown document into what the gates look at: its code blocks, links, anchors, commands in the text and
 * comments. What is demanded of each is decided in `scripts/gates/documents.ts`.
 *
 * A comment right above a block says something about it: `<!-- examples/servers/sdk_v2.ts -->` that it shows
 * this file, any other what the gate knows by that name.
 *
 * @module
 */

import GithubSlugger from "github-slugger";
import { fromMarkdown } from "mdast-util-from-markdown";

/** A code block with a fence. */
export interface Block {
  /** First word after the fence, `""` when there is none: `ts`. */
  readonly language: string;
  /** The other words after the fence: `["ignore"]`. */
  readonly attributes: readonly string[];
  /** The comment right above it, `null` when there is none. */
  readonly mark: string | null;
  /** The code, without the last line break. */
  readonly code: string;
  /** Line of the fence, from 1. */
  readonly line: number;
  /** Where the block begins and ends in the text, fences included, in UTF-16 code units. */
  readonly range: readonly [begin: number, end: number];
}

/** A piece of text and the line it stands in, from 1. */
export interface Place {
  /** The text. */
  readonly text: string;
  /** Its line. */
  readonly line: number;
}

/** What stands in a document. */
export interface MarkdownDocument {
  /** Its code blocks. */
  readonly blocks: readonly Block[];
  /** Targets of links and pictures, those in HTML included. */
  readonly links: readonly Place[];
  /** What a link may name after `#`. */
  readonly anchors: ReadonlySet<string>;
  /** Code in the text. */
  readonly spans: readonly Place[];
  /** Comments, without their brackets. */
  readonly comments: readonly Place[];
}

type Root = ReturnType<typeof fromMarkdown>;
type Node = Root | Root["children"][number];

const COMMENT = /<!--\s*([^]*?)\s*-->/g;

/** Reads `text`. */
export function readDocument(text: string): MarkdownDocument {
  const slugger = new GithubSlugger();
  const blocks: Block[] = [];
  const links: Place[] = [];
  const anchors = new Set<string>();
  const spans: Place[] = [];
  const comments: Place[] = [];
  const visit = (node: Node, before: Node | undefined): void => {
    const line = node.position?.start.line ?? 1;
    // code that is set off by spaces alone has no language
    if (node.type === "code" && /^(?:```|~~~)/.test(text.slice(node.position?.start.offset))) {
      blocks.push(blockOf(node, before));
    }
    if (node.type === "heading") anchors.add(slugger.slug(plainText(node)));
    if (node.type === "inlineCode") spans.push({ text: node.value, line });
    if (node.type === "link" || node.type === "image" || node.type === "definition") {
      links.push({ text: node.url, line });
    }
    if (node.type === "html") readHtml(node.value, line);
    if ("children" in node) {
      node.children.forEach((child, index) => visit(child, node.children[index - 1]));
    }
  };
  const readHtml = (html: string, line: number): void => {
    for (const [, comment = ""] of html.matchAll(COMMENT)) comments.push({ text: comment, line });
    const bare = html.replace(COMMENT, "");
    for (const [, target = ""] of bare.matchAll(/\b(?:src|srcset|href)="([^"]*)"/g)) {
      links.push({ text: target, line });
    }
    for (const [, id = ""] of bare.matchAll(/\b(?:id|name)="([^"]*)"/g)) anchors.add(id);
  };
  visit(fromMarkdown(text), undefined);
  return { blocks, links, anchors, spans, comments };
}

function blockOf(node: Extract<Node, { type: "code" }>, before: Node | undefined): Block {
  const mark = before?.type === "html" ? /^<!--\s*([^]*?)\s*-->$/.exec(before.value)?.[1] ?? null : null;
  return {
    language: node.lang ?? "",
    attributes: (node.meta ?? "").split(/\s+/).filter((word) => word !== ""),
    mark,
    code: node.value,
    line: node.position?.start.line ?? 1,
    range: [node.position?.start.offset ?? 0, node.position?.end.offset ?? 0],
  };
}

function plainText(node: Node): string {
  if ("value" in node && node.type !== "html") return node.value;
  return "children" in node ? node.children.map(plainText).join("") : "";
}
