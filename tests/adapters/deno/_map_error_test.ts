import { mapSpawnError } from "../../../adapters/deno/_map_error.ts";
import { testMapSpawnError } from "../../contracts/map_spawn_error.ts";

testMapSpawnError("Deno", mapSpawnError);
