import { createFiles } from "../../../adapters/node/mod.ts";
import { testFilePort } from "../../contracts/file.ts";

testFilePort("Node", createFiles());
