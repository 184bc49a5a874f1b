/**
 * Which members and elements of a value some part of a schema has looked at, for `unevaluatedProperties` and
 * `unevaluatedItems`. Only kept for a schema that asks.
 *
 * JSON Schema 2020-12 (core), 11.
 *
 * @module
 */

/** What was looked at. */
export interface Evaluated {
  /** Names of members. */
  readonly names: Set<string>;
  /** Places of elements. */
  readonly places: Set<number>;
}

/** Nothing yet. */
export function nothingEvaluated(): Evaluated {
  return { names: new Set(), places: new Set() };
}

/** Adds what `from` has to `to`, and gives how much that was. */
export function addEvaluated(to: Evaluated, from: Evaluated): number {
  for (const name of from.names) to.names.add(name);
  for (const place of from.places) to.places.add(place);
  return from.names.size + from.places.size;
}
