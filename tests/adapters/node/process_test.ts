import { createProcesses } from "../../../adapters/node/mod.ts";
import { testProcessPort } from "../../contracts/process.ts";

testProcessPort("Node", createProcesses());
