import { MemorySecretStore } from "../../../../adapters/http/grants/memory_secret_store.ts";
import { testSecretStore } from "../../../contracts/secret_store.ts";

const shared = new MemorySecretStore();
testSecretStore("memory", () => Promise.resolve(shared));
