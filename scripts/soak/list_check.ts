/**
 * Whether the lists of servers that change their tools are right in the end: a server tells of a change, and a while
 * after it everybody sees what the server offers.
 *
 * @module
 */

import type { CodexMcpError } from "../../core/errors.ts";
import { FLEET } from "./fleet.ts";
import { patiently, type Stage } from "./stage.ts";

/** Looks. Nothing else may go on. */
export async function checkLists({ host, register }: Pick<Stage, "host" | "register">): Promise<void> {
  const thread = host.openThread({ id: `check-${crypto.randomUUID()}` });
  const changing = FLEET.filter(({ tools }) => tools.some(([tool]) => tool === "change"));
  await Promise.all(changing.map(async ({ name }) => {
    let seen = "";
    const agree = async (): Promise<boolean> => {
      try {
        const offered = (await thread.tools(name)).some((tool) => tool.name === "extra");
        // one SDK answers with a failed result where another answers with an error
        const works = await thread.callTool(name, "extra").then(
          ({ isError }) => isError !== true,
          (error: unknown) => (error as CodexMcpError).code,
        );
        seen = `${offered}, ${works}`;
        return works === true ? offered : works === "TOOL_UNKNOWN" || works === false ? !offered : false;
      } catch (error) {
        seen = String(error);
        return false;
      }
    };
    const agreed = await patiently(agree, (one) => one);
    register.require(agreed, () => `the list of ${name} is not what it offers: ${seen}`);
  }));
  await thread.close();
}
