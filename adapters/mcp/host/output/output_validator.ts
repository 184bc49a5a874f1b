/**
 * Checks what tools answer against the schemas that their servers promise, for the SDK, which has no bound on what that
 * takes: a server could stop every thread of a host with one answer.
 *
 * A check that is given up is none: the answer is delivered, and somebody is told. What a check may take is decided in
 * `check_budget.ts`. MCP 2025-11-25 and 2026-07-28, structured content.
 *
 * @module
 */

import type { JsonSchemaType, JsonSchemaValidator, jsonSchemaValidator } from "@modelcontextprotocol/client";
import { CheckBudget, CheckGivenUp } from "./check_budget.ts";
import type { CheckRun } from "./check_run.ts";
import { matchesSchema } from "./check_schema.ts";
import { LinearPatterns } from "./linear_patterns.ts";
import { SchemaReferences } from "./schema_references.ts";

/** Checks what tools answer. */
export class OutputValidator implements jsonSchemaValidator {
  readonly #patterns = new LinearPatterns();
  readonly #references = new WeakMap<object, SchemaReferences>();
  readonly #members: CheckRun["members"] = new WeakMap();
  readonly #unchecked = new Set<unknown>();

  /** What checks values against `schema`. Nothing is looked at before there is one. */
  getValidator<Value>(schema: JsonSchemaType): JsonSchemaValidator<Value> {
    return (value) => {
      const matches = this.#check(schema, value);
      if (!matches) return { valid: false, data: undefined, errorMessage: "it does not match" };
      return { valid: true, data: value as Value, errorMessage: undefined };
    };
  }

  /** Whether the last check of this very value was given up, or left something out. Asked once, and forgotten. */
  tookUnchecked(value: unknown): boolean {
    return this.#unchecked.delete(value);
  }

  #check(schema: object, value: unknown): boolean {
    let whole = true;
    try {
      const matches = matchesSchema(schema, value, {
        run: {
          budget: new CheckBudget(),
          references: this.#referencesOf(schema),
          patterns: this.#patterns,
          leaveOut: () => void (whole = false),
          members: this.#members,
        },
        seen: null,
      });
      if (whole) return matches; // what was left out may stand under a `not`
    } catch (error) {
      if (!(error instanceof CheckGivenUp)) throw error;
    }
    this.#unchecked.add(value);
    return true;
  }

  #referencesOf(schema: object): SchemaReferences {
    const known = this.#references.get(schema) ?? new SchemaReferences(schema);
    this.#references.set(schema, known);
    return known;
  }
}
