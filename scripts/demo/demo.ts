/**
 * The demonstration: four commands through the whole chain, in a workspace of its own, and what becomes of each.
 *
 * @module
 */

import type { ExecOutcome } from "../../adapters/cli/exec/exec_host.ts";
import { openTrial, type SandboxTrial } from "../../adapters/cli/exec/trial.ts";
import { createRuntime } from "../../adapters/cli/main.ts";
import { findCodex } from "../find_codex.ts";

/** One thing to show: what is tried, and whether it came out as the contract says. */
interface Scene {
  readonly title: string;
  readonly play: (trial: SandboxTrial) => Promise<{ readonly outcome: ExecOutcome; readonly held: boolean }>;
}

const SCENES: readonly Scene[] = [
  {
    title: "workspace-write: write a file in the workspace",
    play: async (trial) => {
      const outcome = await trial.run("workspace-write", write(`${trial.workspace}/note.txt`));
      return { outcome, held: await exists(`${trial.workspace}/note.txt`) };
    },
  },
  {
    title: "workspace-write: write a file beside the workspace",
    play: async (trial) => {
      const outcome = await trial.run("workspace-write", write(`${trial.outside}/note.txt`));
      return { outcome, held: !await exists(`${trial.outside}/note.txt`) };
    },
  },
  {
    title: "read-only: connect to a server on this machine",
    play: async (trial) => {
      using listener = Deno.listen({ hostname: "127.0.0.1", port: 0 });
      const address = JSON.stringify({ hostname: "127.0.0.1", port: listener.addr.port });
      const connect =
        `await Deno.connect(${address}).then(() => console.log("open"), () => console.log("closed"))`;
      const command = trial.runtime.evaluate(connect);
      const control = await trial.run("danger-full-access", command);
      const outcome = await trial.run("read-only", command);
      const held = control.result?.stdout === "open\n" && outcome.result?.stdout === "closed\n";
      return { outcome, held };
    },
  },
  {
    title: "the host withholds the launcher",
    play: async (trial) => {
      const outcome = await trial.run("read-only", ["/bin/echo", "never printed"], {
        withholdLauncher: true,
      });
      return { outcome, held: outcome.refusal?.startsWith("LAUNCHER_MISSING") === true };
    },
  },
];

if (import.meta.main) Deno.exit(await demonstrate());

async function demonstrate(): Promise<number> {
  const runtime = createRuntime([]);
  const choice = await findCodex(runtime);
  if (choice.executable === undefined) {
    console.error(choice.reasons.join("\n"));
    return 125;
  }
  const trial = await openTrial(runtime, choice.executable);
  try {
    console.log(
      "Each command goes from an MCP host to a stdio MCP server, and from there into `codex sandbox`.",
    );
    console.log(`launcher   ${choice.executable}\nworkspace  ${trial.workspace}\n`);
    let held = true;
    for (const scene of SCENES) {
      const played = await scene.play(trial);
      held &&= played.held;
      console.log(
        `${played.held ? "as it must" : "NOT AS IT MUST"}: ${scene.title}\n    ${tell(played.outcome)}\n`,
      );
    }
    return held ? 0 : 1;
  } finally {
    await trial.close();
  }
}

function write(path: string): readonly string[] {
  return ["/bin/sh", "-c", 'echo written > "$1" && cat "$1"', "sh", path];
}

function tell({ result, refusal }: ExecOutcome): string {
  if (result === undefined) return `refused: ${refusal}`;
  const said = (result.stdout + result.stderr).trim().split("\n")[0] ?? "";
  return `exit ${result.exitCode}, sandboxed ${result.sandboxed}: ${said}`;
}

async function exists(path: string): Promise<boolean> {
  return await Deno.stat(path).then(() => true, () => false);
}
