import { createProcesses } from "../../../adapters/node/mod.ts";
import { testProcessPort } from "../../contracts/process.ts";

testProcessPort("Node", createProcesses());
testProcessPort("Node with named pipes", createProcesses({ namedPipes: true }));
