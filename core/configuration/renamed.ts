/**
 * Faults and warnings under the names that the fields have in their file, where that is in the vocabulary of another
 * host (`foreign.ts`).
 *
 * @module
 */

import { type ConfigurationFault, type ConfigurationWarning, fieldName, placeOf } from "./layers/fault.ts";

/** `found` with the path that `rename` gives, in its message too. */
export function renamed<Found extends ConfigurationFault | ConfigurationWarning>(
  found: Found,
  rename: (path: readonly string[]) => readonly string[],
): Found {
  const path = [...rename(found.path)];
  const field = fieldName(path);
  const message = found.message.replace(placeOf(found.field, found.layer), () => placeOf(field, found.layer));
  return { ...found, path, field, message };
}
