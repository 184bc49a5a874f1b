import { createDisk } from "../../../adapters/deno/disk.ts";
import { testDiskPort } from "../../contracts/disk.ts";

testDiskPort("Deno", createDisk());
