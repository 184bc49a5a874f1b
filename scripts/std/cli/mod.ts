/**
 * Stand-in for the part of `@std/cli` that the command line uses, for machines that do not reach the registry of
 * that package. Same names, signatures and results. Never published.
 *
 * @module
 */

export { type Args, parseArgs, type ParseOptions } from "./parse_args.ts";
