import { createSandboxRunner, hostPlatform } from "../../../adapters/node/mod.ts";
import { testCreateSandboxRunner } from "../../contracts/sandbox_runner.ts";

testCreateSandboxRunner("Node", { createSandboxRunner, hostPlatform });
