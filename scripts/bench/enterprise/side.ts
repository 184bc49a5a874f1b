/**
 * What the enterprise rows compare: a program that uses one MCP server with enterprise-managed authorization, on one
 * side with this package's host, on the other with the MCP SDK's own provider.
 *
 * @module
 */

import type { Place } from "./place.ts";

/** A program that knows its server and its sign-in, and has sent nothing yet. */
export interface Program {
  /** A thread of it. Its first call connects. */
  openThread(): ProgramThread;
  /** Ends it with all of its threads. */
  close(): Promise<void>;
}

/** One thread. */
export interface ProgramThread {
  /** Calls the tool `whoami`, and gives back what it says. */
  call(): Promise<string>;
}

/** Starts a program; nothing is sent. */
export type StartProgram = (place: Place) => Promise<Program>;
