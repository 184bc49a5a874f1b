/**
 * What each check of `codex-mcp doctor` looks at. That none is missing is a matter of a test, which reads the sources
 * of the checks.
 *
 * @module
 */

/** The checks in the order in which the doctor tells them, and what each looks at. */
export const DOCTOR_CHECKS: Readonly<Record<string, string>> = {
  "launcher":
    "Is there a Codex CLI that answers as one, and outside of the project? Where none is, the checks of the " +
    "sandbox are skipped.",
  "environment": "Which variables reach a launcher, and is Codex's home out of the project's reach?",
  "argument-limit": "Does this system take an argument as long as a policy may be?",
  "sandbox":
    "Does a command run in a read-only sandbox? The fix tells containers without namespaces, a sandbox within a " +
    "sandbox, a missing bubblewrap and a configuration that Codex refuses apart.",
  "write-denied": "Does a write in the workspace succeed, and is one outside of it denied?",
  "network-closed": "Is a connection that works outside refused in the sandbox?",
  "launcher-safe": "Could a sandboxed command replace the launcher?",
  "configuration": "Can the configuration be read, and is it free of faults that belong to no single server?",
  "keyring": "Can the keyring be read, and whose sign-ins does it hold?",
  "client-secret": "Is the secret or key of a client there? It is not told.",
  "idp": "Does the identity provider publish metadata that can be used, and is the client's method among it?",
  "resource": "Does the MCP server publish whose protected resource it is?",
  "authorization-server": "Does the server's authorization server publish its metadata, and take an ID-JAG?",
  "server":
    "Are program, working directory and variables of an ordinary server there? Is an entry disabled by a fault?",
  "connect": "With `--connect`: can the server be started or reached, and does it list its tools?",
  "clock": "Do the clocks of the servers that answered and of this machine agree, within 60 seconds?",
};
