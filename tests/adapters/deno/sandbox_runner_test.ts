import { createSandboxRunner, hostPlatform } from "../../../adapters/deno/mod.ts";
import { testCreateSandboxRunner } from "../../contracts/sandbox_runner.ts";

testCreateSandboxRunner("Deno", { createSandboxRunner, hostPlatform });
