import { createFiles } from "../../../adapters/deno/mod.ts";
import { testFilePort } from "../../contracts/file.ts";

testFilePort("Deno", createFiles());
