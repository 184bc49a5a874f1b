import { DISK } from "../../adapters/disk.ts";
import { testDiskPort } from "../contracts/disk.ts";

testDiskPort("Node's functions", DISK);
