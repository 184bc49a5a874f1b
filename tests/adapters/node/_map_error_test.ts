import { mapSpawnError } from "../../../adapters/node/_map_error.ts";
import { testMapSpawnError } from "../../contracts/map_spawn_error.ts";

testMapSpawnError("Node", mapSpawnError);
