import { createHost } from "../../../adapters/deno/host.ts";
import { testCreateHost } from "../../contracts/host.ts";

testCreateHost("Deno", createHost);
