/**
 * What is said when catalogs cannot be kept. Nobody is refused anything for it: the tools are listed by the server.
 *
 * @module
 */

/** Why catalogs are not kept as they should be. Each store says one thing once. */
export interface CatalogTrouble {
  /** The folder cannot be used, a file in it cannot be written, or a store of the host failed. */
  readonly reason: "folder" | "file" | "store";
  /** What happened, for people; nothing of a catalog is in it. */
  readonly message: string;
}
