/**
 * What a call through host and server costs over spawning `codex sandbox` directly.
 *
 * @module
 */

import { openExecHost } from "../../adapters/cli/exec/exec_host.ts";
import { chooseLauncher } from "../../adapters/cli/launcher/choose_launcher.ts";
import { readPolicy } from "../../adapters/cli/launcher/policy.ts";
import { createRuntime } from "../../adapters/cli/main.ts";
import type { Row } from "./row.ts";
import { median, timeOnce } from "./timing.ts";

const CALLS = 60;
const QUICK_CALLS = 8;

/**
 * One row: the overhead of a call at the median. Empty, with a word on standard error, where no Codex CLI is
 * installed.
 */
export async function measureChain({ quick }: { readonly quick: boolean }): Promise<readonly Row[]> {
  const runtime = createRuntime([]);
  const workspace = Deno.makeTempDirSync();
  const choice = await chooseLauncher(runtime, { workspace, writableRoots: [workspace] });
  if (choice.executable === undefined) {
    console.error(`The chain was not measured: ${choice.reasons.join(" ")}`);
    return [];
  }
  const launcher = choice.executable;
  const { stateText } = await readPolicy("read-only", {
    directory: workspace,
    codex: launcher,
    platform: "linux",
  });
  const args = ["sandbox", "--sandbox-state-json", stateText, "--", "/bin/true"];
  const host = await openExecHost(runtime);
  const direct: number[] = [];
  const served: number[] = [];
  try {
    for (let call = 0; call < (quick ? QUICK_CALLS : CALLS); call++) {
      direct.push(await timeOnce(() => new Deno.Command(launcher, { args, stdin: "null" }).output()));
      served.push(
        await timeOnce(() => host.exec({ arguments: { command: ["/bin/true"] }, stateText, launcher })),
      );
    }
  } finally {
    await host.close();
    Deno.removeSync(workspace, { recursive: true });
  }
  // the first calls load code and probe the launcher, once for the life of a server
  const settled = (samples: readonly number[]): number => median(samples.slice(5));
  const overhead = settled(served) - settled(direct);
  return [
    {
      name: "a call of exec, /bin/true",
      value: settled(served),
      unit: "ms",
      peer: "codex sandbox alone",
      peerValue: settled(direct),
      target: `under 5 ms more (${overhead.toFixed(2)} ms)`,
      met: overhead < 5,
    },
  ];
}
