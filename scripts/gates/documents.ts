/**
 * Gate: what the documents show is true. Their code is that of files which are checked, or has its types checked here;
 * their configuration is accepted, their commands exist, their links lead somewhere, the tests that they name are
 * there.
 *
 * Code in a `ts` block without `ignore` is run by `deno test --doc` (`scripts/suites/suites.ts`). With `ignore`, the
 * block has a mark above it: the path of the file that it shows, or `types only` where it cannot be run.
 * `scripts/docs/write.ts` brings blocks up to date with their files; `scripts/docs/` reads documents.
 *
 * @module
 */

import { runDeno } from "../command.ts";
import { commandFlaw, type KnownCommands, knownCommands } from "../docs/commands.ts";
import { configurationFlaws } from "../docs/configuration.ts";
import { type Block, type MarkdownDocument, readDocument } from "../docs/document.ts";
import { fillDocument, firstDifference, tiedPath } from "../docs/fill.ts";
import { linkFlaw } from "../docs/links.ts";
import { readShell } from "../docs/shell.ts";
import { ORDINARY_SUITES } from "../suites/suites.ts";
import type { Finding } from "./finding.ts";
import { exists, listDocuments, readConfig, readText } from "./tree.ts";

/** Folders whose code `deno check` and the tests look at. */
const CHECKED = /^(?:core|adapters|examples|scripts|tests)\//;

const SHELLS: readonly string[] = ["sh", "bash", "console", "shell"];

/** The documents whose code the tests run, and the folders of such. */
const RUN: readonly string[] = ORDINARY_SUITES.find(({ flags }) => flags.includes("--doc"))?.paths ?? [];

/** The mark of code that cannot be run, with what a part of a program leaves out, which readers do not see. */
const TYPES_ONLY = /^types only(?:\n([^]*))?$/;

/** A document and where it is. */
interface ReadDocument extends MarkdownDocument {
  readonly path: string;
  readonly text: string;
}

/** Checks the documents of the tree at `root`. */
export async function checkDocuments(root: string): Promise<Finding[]> {
  const documents = listDocuments(root).map((path): ReadDocument => {
    const text = readText(root, path);
    return { path, text, ...readDocument(text) };
  });
  const known = await knownCommands(Object.keys(readConfig(root).tasks));
  const findings = documents.flatMap((document) => [
    ...checkTies(root, document),
    ...checkCode(document),
    ...checkCommands(document, known),
    ...checkLinks(root, document),
    ...checkTests(root, document),
  ]);
  for (const document of documents) findings.push(...await checkConfigurations(document));
  return [...findings, ...await checkTypes(root, documents)];
}

function checkTies(root: string, { path, text, blocks }: ReadDocument): Finding[] {
  const findings: Finding[] = [];
  for (const { mark, line, language } of blocks) {
    const file = tiedPath(mark);
    if (file === null) continue;
    const where = `${path}:${line}`;
    if (!exists(root, file)) {
      findings.push({
        where,
        what: `shows ${file}, which is not there`,
        fix: "correct the path above the block",
      });
    } else if (language === "ts" && !CHECKED.test(file)) {
      const what = `shows ${file}, whose types nobody checks`;
      findings.push({ where, what, fix: "move it to examples/ or tests/fixtures/" });
    }
  }
  const filled = fillDocument(text, (file) => exists(root, file) ? readText(root, file) : null);
  if (filled === text) return findings;
  const where = `${path}:${firstDifference(text, filled)}`;
  const fix = "run: deno task docs:write";
  return [...findings, { where, what: "is not what the file says that it shows", fix }];
}

function checkCode({ path, blocks }: ReadDocument): Finding[] {
  return blocks.flatMap((block) => {
    const where = `${path}:${block.line}`;
    if (["typescript", "js", "javascript"].includes(block.language)) {
      return [{
        where,
        what: `is ${block.language}, which other blocks call ts`,
        fix: "write ts after the fence",
      }];
    }
    if (block.language === "") {
      return [{ where, what: "is a block of no language", fix: "write text after the fence, or what it is" }];
    }
    if (block.language !== "ts") return [];
    const strange = block.attributes.filter((one) => one !== "ignore");
    if (strange.length > 0) {
      return [{
        where,
        what: `has "${strange[0]}" after its fence, which means nothing`,
        fix: "take it out",
      }];
    }
    const bound = tiedPath(block.mark) !== null || isTypesOnly(block);
    if (!isIgnored(block) && !RUN.some((one) => path === one || path.startsWith(`${one}/`))) {
      return [{
        where,
        what: "stands in a document whose code nobody runs",
        fix: "add it to scripts/suites/suites.ts",
      }];
    }
    if (isIgnored(block) && !bound) {
      const fix = "take out ignore, or write above it <!-- path/of/the_file.ts --> or <!-- types only -->";
      return [{ where, what: "is neither run nor checked", fix }];
    }
    return !isIgnored(block) && bound
      ? [{ where, what: "has a mark and is run besides", fix: "write ts ignore, or take out the mark" }]
      : [];
  });
}

function isTypesOnly({ mark }: Block): boolean {
  return mark !== null && TYPES_ONLY.test(mark);
}

function isIgnored({ attributes }: Block): boolean {
  return attributes.includes("ignore");
}

function checkCommands({ path, blocks, spans }: ReadDocument, known: KnownCommands): Finding[] {
  const texts = [
    ...blocks.filter(({ language }) => SHELLS.includes(language)).map(({ code, line }) => ({
      text: code,
      line: line + 1,
    })),
    ...spans,
  ];
  return texts.flatMap(({ text, line }) =>
    readShell(text).flatMap((command) => {
      const what = commandFlaw(command, known);
      const where = `${path}:${line + command.line - 1}`;
      return what === null ? [] : [{ where, what, fix: "correct the document, or the task or the flags" }];
    })
  );
}

function checkLinks(root: string, { path, links }: ReadDocument): Finding[] {
  return links.flatMap(({ text: target, line }) => {
    const flaw = linkFlaw(root, { path, target });
    const where = `${path}:${line}`;
    return flaw === null ? [] : [{ where, what: `"${target}" ${flaw}`, fix: "correct the link" }];
  });
}

/** `<!-- test: tests/a_test.ts -->`, and with `"name"` a test of it that has these words in its name. */
function checkTests(root: string, { path, comments }: ReadDocument): Finding[] {
  return comments.flatMap(({ text, line }) => {
    if (!text.startsWith("test:")) return [];
    const where = `${path}:${line}`;
    const [, file, name] = /^test: (tests\/\S+_test\.ts)(?: "([^"]+)")?$/.exec(text) ?? [];
    if (file === undefined) {
      const fix = 'write <!-- test: tests/…_test.ts "words of its name" -->';
      return [{ where, what: "is no name of a test", fix }];
    }
    const test = readText(root, file);
    if (test === "") return [{ where, what: `names ${file}, which is not there`, fix: "name its new place" }];
    if (name === undefined || test.includes(name)) return [];
    return [{
      where,
      what: `names a test "${name}", which ${file} does not have`,
      fix: "name what it is called now",
    }];
  });
}

async function checkConfigurations({ path, blocks }: ReadDocument): Promise<Finding[]> {
  const findings: Finding[] = [];
  for (const block of blocks) {
    if (!["toml", "json", "jsonc"].includes(block.language)) continue;
    for (const what of await configurationFlaws(block)) {
      const fix = "correct it, or say above it what it leads to: <!-- configuration: part, CODE -->";
      findings.push({ where: `${path}:${block.line}`, what, fix });
    }
  }
  return findings;
}

/** Checks the types of the blocks that are shown only, all of them in one run. */
async function checkTypes(root: string, documents: readonly ReadDocument[]): Promise<Finding[]> {
  const blocks = documents.flatMap(({ path, blocks }) =>
    blocks.filter(isTypesOnly).map((block) => ({ path, block }))
  );
  if (blocks.length === 0) return [];
  const folder = await Deno.realPath(await Deno.makeTempDir({ prefix: "codex-mcp-documents-" }));
  try {
    const files = blocks.map(({ path, block }) =>
      `${folder}/${path.replace(/\W/g, "_")}_line_${block.line}.ts`
    );
    await Promise.all(files.map((file, at) => Deno.writeTextFile(file, wholeCode(blocks[at]?.block))));
    const result = await runDeno(["check", "--quiet", "--config", `${root}/deno.json`, ...files], {
      directory: root,
    });
    if (result.code === 0) return [];
    const what = result.output.replaceAll(`file://${folder}/`, "").trim().slice(-3000);
    return [{ where: "blocks of types only", what, fix: "correct the code in the document" }];
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
}

/** The code of a block, behind what its mark says of the rest; a module, so that blocks do not share names. */
function wholeCode(block: Block | undefined): string {
  return `${TYPES_ONLY.exec(block?.mark ?? "")?.[1] ?? ""}\n${block?.code}\nexport {};\n`;
}
