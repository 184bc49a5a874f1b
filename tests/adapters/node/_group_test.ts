import { findLivingMember } from "../../../adapters/node/_group.ts";
import { testFindLivingMember } from "../../contracts/living_member.ts";

testFindLivingMember("Node", findLivingMember);
