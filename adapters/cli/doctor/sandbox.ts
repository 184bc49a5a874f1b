/**
 * Checks of the sandbox itself, each by trying what must work and what must not.
 *
 * @module
 */

import { access } from "node:fs/promises";
import { createServer } from "node:net";
import { dirname, join } from "node:path";
import type { ExecOutcome } from "../exec/exec_host.ts";
import type { SandboxTrial } from "../exec/trial.ts";
import type { Finding } from "./finding.ts";

/** Whether a sandbox can be set up here at all. */
export async function checkSetup(trial: SandboxTrial): Promise<Finding> {
  const id = "sandbox";
  // a launcher that ends well without running anything would pass for a sandbox otherwise
  const token = crypto.randomUUID();
  const outcome = await trial.run("read-only", ["/bin/sh", "-c", 'echo "$1"', "sh", token]);
  if (outcome.result?.exitCode === 0 && outcome.result.stdout === `${token}\n`) {
    return { id, status: "ok", found: "a command runs in a read-only sandbox" };
  }
  return { id, status: "failed", ...diagnoseSetup(outcome) };
}

/** Whether a write in the workspace works, and one outside of it is denied. */
export async function checkWriteDenied(trial: SandboxTrial): Promise<Finding> {
  const id = "write-denied";
  const [inside, outside] = [join(trial.workspace, "inside"), join(trial.outside, "outside")];
  await trial.run("workspace-write", touch(inside));
  await trial.run("workspace-write", touch(outside));
  const [wroteInside, wroteOutside] = [await exists(inside), await exists(outside)];
  if (wroteInside && !wroteOutside) {
    return { id, status: "ok", found: "a write in the workspace succeeds, one outside is denied" };
  }
  return wroteOutside
    ? { id, status: "failed", found: "a write outside the workspace was NOT denied", fix: NO_TRUST }
    : {
      id,
      status: "failed",
      found: "a write in the workspace was denied",
      fix: BY_ITSELF,
    };
}

/** Whether the network is closed under a policy that closes it. */
export async function checkNetwork(trial: SandboxTrial): Promise<Finding> {
  const id = "network-closed";
  const server = createServer((socket) => socket.end());
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as { readonly port: number };
  const command = trial.runtime.evaluate(connectCode(port));
  try {
    const open = await trial.run("danger-full-access", command);
    const closed = await trial.run("read-only", command);
    if (open.result?.stdout.trim() !== "open") {
      return { id, status: "skipped", found: "no connection could be made to be closed" };
    }
    const said = closed.result?.stdout.trim();
    if (said === "closed") {
      return { id, status: "ok", found: "a connection that works outside is refused in the sandbox" };
    }
    return said === "open"
      ? { id, status: "failed", found: "a connection from the sandbox was NOT refused", fix: NO_TRUST }
      : { id, status: "failed", found: "no connection could be tried in the sandbox", fix: BY_ITSELF };
  } finally {
    server.close();
  }
}

/** Whether a sandboxed command could put something else in the launcher's place. */
export async function checkLauncherPlace(trial: SandboxTrial): Promise<Finding> {
  const id = "launcher-safe";
  const folder = dirname(trial.launcher);
  // replacing a file takes writing to its folder; in a subshell, since a failing redirection ends a shell
  const probe = 'f="$1/.codex-mcp-doctor-$$"; (: > "$f") 2>/dev/null && rm -f "$f" && echo writable; ' +
    'test -w "$2" && echo writable; echo tried';
  const outcome = await trial.run("workspace-write", ["/bin/sh", "-c", probe, "sh", folder, trial.launcher]);
  if (outcome.result === undefined) return { id, status: "skipped", found: outcome.refusal };
  if (!outcome.result.stdout.includes("tried")) {
    return { id, status: "skipped", found: "it could not be tried" };
  }
  return outcome.result.stdout.includes("writable")
    ? {
      id,
      status: "failed",
      found: `a sandboxed command can write to ${folder}, and so replace the launcher`,
      fix: "install the Codex CLI outside of temporary folders and workspaces",
    }
    : { id, status: "ok", found: "a sandboxed command cannot replace the launcher" };
}

const BY_ITSELF = "run the same command with codex sandbox by itself";

const NO_TRUST = "do not rely on this sandbox; update the Codex CLI and the kernel, and report it";

/** The classes of set-up failure that are known, told from the launcher's diagnostics. */
function diagnoseSetup({ result, refusal }: ExecOutcome): { readonly found: string; readonly fix: string } {
  if (result === undefined) {
    return {
      found: refusal,
      fix: refusal.startsWith("LAUNCHER_") ? "name another Codex CLI with --codex" : BY_ITSELF,
    };
  }
  const text = result.stderr;
  // Codex reads all of it, and more strictly than a host that only leaves a server out
  if (/^Error: (?:.*[\\/])?config\.toml:\d+/m.test(text)) {
    return {
      found: `Codex refuses its configuration: ${cut(text)}`,
      fix: "correct that file, then run: codex-mcp doctor",
    };
  }
  if (/sandbox_apply|Operation not permitted.*seatbelt/i.test(text)) {
    return {
      found: "this process is in a sandbox already, and macOS does not nest them",
      fix: "start the server outside of a sandbox",
    };
  }
  if (/bubblewrap is unavailable/i.test(text)) {
    return {
      found: "the launcher lacks bubblewrap, which lies beside it where its package is installed",
      fix:
        "name the Codex CLI where it is installed, not a copy of the executable alone, or install bubblewrap",
    };
  }
  if (/namespace|uid_map|bwrap|unshare|userns|clone/i.test(text)) {
    return {
      found: "the kernel refuses namespaces, as it does in many containers",
      fix: "allow user namespaces on the host (sysctl kernel.unprivileged_userns_clone=1, " +
        "kernel.apparmor_restrict_unprivileged_userns=0), or start the container with seccomp and AppArmor profiles " +
        "that permit them",
    };
  }
  return {
    found: `the launcher exits with ${result.exitCode ?? result.signal}: ${cut(text)}`,
    fix: BY_ITSELF,
  };
}

function cut(text: string): string {
  return JSON.stringify(text.slice(0, 200));
}

function touch(path: string): readonly string[] {
  return ["/bin/sh", "-c", ': > "$1"', "sh", path];
}

async function exists(path: string): Promise<boolean> {
  return await access(path).then(() => true, () => false);
}

/** JavaScript for either runtime: says `open` or `closed`. */
function connectCode(port: number): string {
  return `const net = await import("node:net");
const socket = net.connect(${port}, "127.0.0.1");
socket.on("connect", () => { console.log("open"); socket.destroy(); });
socket.on("error", () => console.log("closed"));`;
}
