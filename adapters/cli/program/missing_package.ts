/**
 * A package that a command loads and that is not there: npm leaves out the optional ones when it is told to.
 *
 * Which ones are optional is decided where the npm package is built.
 *
 * @module
 */

/** A package is missing; the message has the command that installs it. */
export class MissingPackageError extends Error {
  /** Survives minification. */
  override readonly name = "MissingPackageError";
  /** For scripts. */
  readonly code = "PACKAGE_MISSING";
}

/** The error for `error`, when that says that a package cannot be found; `null` for any other. */
export function missingPackage(error: unknown): MissingPackageError | null {
  if (!(error instanceof Error && "code" in error && error.code === "ERR_MODULE_NOT_FOUND")) return null;
  // a file of ours that is not there is named by its path
  const name = /^Cannot find package '([^'./][^']*)'/.exec(error.message)?.[1];
  if (name === undefined) return null;
  return new MissingPackageError(
    `Cannot run this command: the package ${JSON.stringify(name)} is not installed. ` +
      "npm leaves it out with --omit=optional. Run: npm install --include=optional",
    { cause: error },
  );
}
