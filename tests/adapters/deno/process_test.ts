import { createProcesses } from "../../../adapters/deno/mod.ts";
import { testProcessPort } from "../../contracts/process.ts";

testProcessPort("Deno", createProcesses());
