/**
 * What every runtime's search for the living of a process group does. Registers the cases for one of them.
 *
 * @module
 */

import { assertEquals } from "@std/assert";
import { spawn } from "node:child_process";
import { once } from "node:events";
import process from "node:process";
import { test } from "node:test";

/** Registers the contract for `find`, each case under `name`. */
export function testFindLivingMember(
  name: string,
  find: (group: number, hint: number | null) => number | null | undefined,
): void {
  test(`${name}: a group's member is found with any hint, and no more after its end`, async () => {
    const child = spawn("/bin/sleep", ["600"], { detached: true, stdio: "ignore" });
    const pid = child.pid ?? 0;
    const known = process.platform === "linux";
    const hints = [null, pid, process.pid, 0];
    assertEquals(hints.map((hint) => find(pid, hint)), hints.map(() => known ? pid : undefined));
    const ended = once(child, "exit");
    child.kill("SIGKILL");
    await ended;
    assertEquals(hints.map((hint) => find(pid, hint)), hints.map(() => known ? null : undefined));
  });
}
