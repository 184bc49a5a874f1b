/**
 * What the references of a schema lead to, within the schema itself. Nothing is ever fetched: one that leads out of it
 * leads nowhere.
 *
 * JSON Schema 2020-12 (core), 8.2: `$id`, `$anchor`, `$ref`; `$dynamicRef` and `$recursiveRef` where only one place
 * can be meant.
 *
 * @module
 */

import { isJsonObject, ownProperty } from "../../../../core/json/value.ts";
import { CheckGivenUp } from "./check_budget.ts";

/** Schemas and their members that a schema may have. */
const MAX_NODES = 20_000;

/** How deep a schema may be nested. */
const MAX_DEPTH = 200;

const ROOT = "schema:///";

/** Keywords whose value holds schemas under names of the schema's own. */
const MAPS: readonly string[] = [
  "properties",
  "patternProperties",
  "$defs",
  "definitions",
  "dependentSchemas",
  "dependencies",
];

/** Keywords whose value is data. */
const DATA: readonly string[] = ["enum", "const", "default", "examples"];

/** What a schema may say that it is written in; one that says nothing is 2020-12. */
const DIALECTS = /^https?:\/\/json-schema\.org\/(draft-0[67]|draft\/2019-09|draft\/2020-12)\/schema#?$/;

/** The references of one schema. */
export class SchemaReferences {
  /** Whether it says `unevaluatedProperties` or `unevaluatedItems` anywhere. */
  readonly remembers: boolean;
  readonly #bases = new WeakMap<object, string>();
  readonly #places = new Map<string, unknown>();
  readonly #dynamic = new Map<string, number>();
  readonly #found = new WeakMap<object, Map<string, unknown>>();
  #nodes = 0;
  #remembers = false;

  /**
   * Looks at the whole schema.
   *
   * @throws {CheckGivenUp} when it is too large or too deep, or written in a dialect that is not known.
   */
  constructor(schema: object) {
    const dialect = ownProperty(schema, "$schema");
    if (typeof dialect === "string" && !DIALECTS.test(dialect)) {
      throw new CheckGivenUp("its dialect is unknown");
    }
    this.#places.set(ROOT, schema);
    this.#look(schema, { base: ROOT, depth: 0 });
    this.remembers = this.#remembers;
  }

  /**
   * What `$ref`, `$dynamicRef` or `$recursiveRef` of `schema` leads to.
   *
   * @throws {CheckGivenUp} when it leads nowhere, or could lead to several places.
   */
  follow(schema: object, reference: string): unknown {
    const known = this.#found.get(schema) ?? new Map<string, unknown>();
    this.#found.set(schema, known);
    if (!known.has(reference)) known.set(reference, this.#find(schema, reference));
    return known.get(reference);
  }

  /**
   * Refuses a `$dynamicRef` that could mean several places.
   *
   * @throws {CheckGivenUp} when it could.
   */
  requireOne(reference: string): void {
    const anchor = reference.split("#")[1] ?? "";
    if ((this.#dynamic.get(anchor) ?? 0) > 1) throw new CheckGivenUp("a reference depends on the way to it");
  }

  #find(schema: object, reference: string): unknown {
    const base = this.#bases.get(schema) ?? ROOT;
    const url = resolve(reference, base);
    const [resource = "", fragment = ""] = url?.split("#") ?? [];
    const direct = this.#places.get(fragment === "" ? resource : `${resource}#${fragment}`);
    if (direct !== undefined) return direct;
    const start = this.#places.get(resource);
    const found = start !== undefined && fragment.startsWith("/") ? pointed(start, fragment) : undefined;
    if (found === undefined) throw new CheckGivenUp("a reference leads nowhere");
    return found;
  }

  #look(value: unknown, { base, depth }: { readonly base: string; readonly depth: number }): void {
    if (typeof value !== "object" || value === null) return;
    this.#nodes += 1;
    if (this.#nodes > MAX_NODES || depth > MAX_DEPTH) throw new CheckGivenUp("the schema is too large");
    if (Array.isArray(value)) {
      for (const one of value) this.#look(one, { base, depth: depth + 1 });
      return;
    }
    const own = this.#name(value, base);
    for (const keyword in value) {
      if (DATA.includes(keyword)) continue;
      const member = ownProperty(value, keyword);
      const inside = { base: own, depth: depth + 1 };
      if (!MAPS.includes(keyword) || !isJsonObject(member)) this.#look(member, inside);
      else for (const name in member) this.#look(member[name], inside);
    }
  }

  /** Keeps the names of a schema, and gives its base. */
  #name(schema: object, base: string): string {
    const id = ownProperty(schema, "$id");
    const own = typeof id === "string" ? resolve(id, base)?.split("#")[0] ?? base : base;
    if (own !== ROOT) this.#bases.set(schema, own);
    if (own !== base || typeof id === "string") this.#places.set(own, schema);
    for (const keyword of ["$anchor", "$dynamicAnchor"]) {
      const anchor = ownProperty(schema, keyword);
      if (typeof anchor !== "string") continue;
      this.#places.set(`${own}#${anchor}`, schema);
      if (keyword === "$dynamicAnchor") this.#dynamic.set(anchor, (this.#dynamic.get(anchor) ?? 0) + 1);
    }
    if (ownProperty(schema, "$recursiveAnchor") === true) {
      this.#dynamic.set("", (this.#dynamic.get("") ?? 0) + 1);
    }
    if (Object.hasOwn(schema, "unevaluatedProperties") || Object.hasOwn(schema, "unevaluatedItems")) {
      this.#remembers = true;
    }
    return own;
  }
}

function resolve(reference: string, base: string): string | null {
  return URL.canParse(reference, base) ? new URL(reference, base).href : null;
}

function pointed(start: unknown, pointer: string): unknown {
  let place = start;
  for (const token of pointer.slice(1).split("/")) {
    const name = unescaped(token);
    if (typeof place !== "object" || place === null || !Object.hasOwn(place, name)) return undefined;
    place = (place as Record<string, unknown>)[name];
  }
  return place;
}

function unescaped(token: string): string {
  try {
    return decodeURIComponent(token).replaceAll("~1", "/").replaceAll("~0", "~");
  } catch {
    return token; // not a URI fragment, so it is taken as it is
  }
}
