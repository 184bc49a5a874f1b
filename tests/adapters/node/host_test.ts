import { createHost } from "../../../adapters/node/host.ts";
import { testCreateHost } from "../../contracts/host.ts";

testCreateHost("Node", createHost);
