import { assertEquals } from "@std/assert";
import { test } from "node:test";
import { type AdmissionOptions, CommandAdmission } from "../../../adapters/sandbox/admission.ts";
import { refusedCode } from "../../contracts/refused.ts";
import { RUNTIMES } from "../../contracts/runtimes.ts";
import type { Launcher } from "../../fixtures/launchers/mod.ts";
import { authorityFor, authorityOf, withLauncher } from "./_runner_bench.ts";

const limit = { timeout: 60_000 };

for (const { name, processes, files } of RUNTIMES) {
  const admissionTest = (
    title: string,
    body: (
      launcher: Launcher,
      create: (options?: Partial<AdmissionOptions>) => CommandAdmission,
    ) => Promise<void>,
  ) =>
    test(`${name}: ${title}`, limit, () =>
      withLauncher({}, (launcher) =>
        body(
          launcher,
          (options = {}) =>
            new CommandAdmission({ processes, files, environment: { PATH: "/bin" }, ...options }),
        )));

  admissionTest("what is admitted is planned, and nothing but the probe runs", async (launcher, create) => {
    const admission = create({ disableNetwork: true });
    const authority = authorityFor(launcher);
    const admitted = await admission.admit(authority, ["ls"]);
    const modifiers = ["--sandbox-state-disable-network"];
    assertEquals([admission.environment, admission.modifiers], [{ PATH: "/bin" }, modifiers]);
    assertEquals(admitted, {
      request: {
        executable: launcher.executable,
        args: ["sandbox", "--sandbox-state-json", authority.stateText, ...modifiers, "--", "ls"],
      },
      sandboxed: true,
      modifiers,
    });
    const inside = await admission.admit(authority, ["ls"], { directory: "src" });
    assertEquals(inside.request.args.includes("./src"), true);
    assertEquals([await launcher.probes(), (await launcher.calls()).length], [1, 0]);
  });

  admissionTest("refusals are the runner's own", async (launcher, create) => {
    const code = (authority: ReturnType<typeof authorityOf>, options: Partial<AdmissionOptions> = {}) =>
      refusedCode(() => create(options).admit(authority, ["ls"]));
    assertEquals(await code(authorityOf({})), "LAUNCHER_MISSING");
    assertEquals(await code(authorityFor(launcher, { transport: "http" })), "LAUNCHER_INVALID");
    assertEquals(
      await code(authorityOf({ launcher: { codexExecutable: "/bin/false" } })),
      "LAUNCHER_INVALID",
    );
    assertEquals(
      await code(authorityFor(launcher, { profile: "disabled" }), { refuseDisabled: true }),
      "PROFILE_REFUSED",
    );
    assertEquals(await refusedCode(() => create().admit(authorityFor(launcher), [])), "COMMAND_INVALID");
    const refuse = () => Promise.resolve().then(() => create({ readableRoots: ["src"] }));
    assertEquals(await refusedCode(refuse), "COMMAND_INVALID");
  });

  admissionTest("the opt-out is for an absent launcher alone", async (launcher, create) => {
    const admission = create({ allowUnsandboxed: true });
    assertEquals((await admission.admit(authorityOf({}), ["ls"])).sandboxed, false);
    assertEquals((await admission.admit(authorityFor(launcher), ["ls"])).sandboxed, true);
    const unusable = authorityOf({ launcher: { codexExecutable: "codex" } });
    assertEquals(await refusedCode(() => admission.admit(unusable, ["ls"])), "LAUNCHER_INVALID");
  });

  admissionTest("a launcher that was replaced is admitted no more", async (launcher, create) => {
    const admission = create();
    await admission.admit(authorityFor(launcher), ["ls"]);
    await launcher.replace();
    assertEquals(
      await refusedCode(() => admission.admit(authorityFor(launcher), ["ls"])),
      "LAUNCHER_INVALID",
    );
  });
}
