import { findLivingMember } from "../../../adapters/deno/_group.ts";
import { testFindLivingMember } from "../../contracts/living_member.ts";

testFindLivingMember("Deno", findLivingMember);
