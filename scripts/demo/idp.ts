/**
 * Starts the enterprise test bed for people to play with: an identity provider with a sign-in page, an MCP
 * authorization server and an MCP server, on loopback. Prints what a client needs and then each request that
 * comes, without its secrets. Ends on Ctrl-C.
 *
 * @module
 */

import { parseArgs } from "@std/cli/parse-args";
import {
  ACCOUNTS,
  type EnterpriseBed,
  PROFILE_NAMES,
  type Site,
  startEnterpriseBed,
  SWITCHES,
} from "../../tests/fixtures/enterprise/mod.ts";

const USAGE =
  `Usage: deno task idp [--profile NAME] [--port FIRST] [--automatic] [--switch NAME]… [--write FILE]

  --profile NAME  how the servers behave: ${PROFILE_NAMES.join(", ")}
  --port FIRST    use this port and the three after it instead of free ones
  --automatic     sign in as ${ACCOUNTS[0]?.name} without a page
  --switch NAME   turn on something that goes wrong; "list" names them all
  --write FILE    write the sample config.toml there instead of printing it`;

if (import.meta.main) await main(Deno.args);

async function main(args: readonly string[]): Promise<void> {
  const flags = parseArgs([...args], {
    string: ["profile", "port", "switch", "write"],
    boolean: ["automatic", "help"],
    collect: ["switch"],
  });
  const profile = PROFILE_NAMES.find((name) => name === (flags.profile ?? "xaa.dev"));
  const first = flags.port === undefined ? 0 : Number(flags.port);
  const unknown = flags.switch.filter((name) => name !== "list" && SWITCHES[name] === undefined);
  if (flags.help || profile === undefined || !Number.isInteger(first) || unknown.length > 0) {
    console.error(unknown.length > 0 ? `There is no switch ${unknown.join(", ")}\n\n${USAGE}` : USAGE);
    Deno.exitCode = flags.help ? 0 : 2;
    return;
  }
  if (flags.switch.includes("list")) return console.log(Object.keys(SWITCHES).join("\n"));
  const bed = await startEnterpriseBed({ profile, ports: portsFrom(first) });
  bed.idp.controls.signIn = flags.automatic ? "automatic" : "form";
  for (const name of flags.switch) bed.turn(name);
  if (flags.write !== undefined) await Deno.writeTextFile(flags.write, bed.configuration(), { mode: 0o600 });
  console.log(describe(bed, flags.write ?? null));
  bed.wire.watch(({ site, endpoint, method, status }) => {
    console.log(`${site === "elsewhere" ? "ASTRAY " : ""}${endpoint} ${method} ${status ?? "cut"}`);
  });
  const stopped = Promise.withResolvers<void>();
  Deno.addSignalListener("SIGINT", () => stopped.resolve());
  Deno.addSignalListener("SIGTERM", () => stopped.resolve());
  await stopped.promise;
  await bed.close();
  Deno.exit(0);
}

function portsFrom(first: number): Partial<Record<Site, number>> {
  return first === 0 ? {} : { idp: first, as: first + 1, mcp: first + 2, elsewhere: first + 3 };
}

function describe(bed: EnterpriseBed, file: string | null): string {
  const { idp, as, mcp, profile } = bed;
  const accounts = ACCOUNTS.map(({ name, workspace }) => `${name} (workspace ${workspace})`).join(", ");
  const lines = [
    `Profile                    ${profile.name}`,
    `Identity provider          ${idp.issuer}`,
    `  client                   ${idp.client.id} (${idp.client.method})`,
    `  accounts                 ${accounts}`,
    `  subject tokens           ${profile.subjects.join(", ")}`,
    `MCP authorization server   ${as.issuer}`,
    `  client                   ${as.client.id} (${as.client.method})`,
    `MCP server                 ${mcp.url}`,
    `  another                  ${mcp.secondUrl}`,
    "",
    file === null
      ? `config.toml (its secrets are good for this run only):\n`
      : `config.toml was written to ${file}`,
    ...(file === null ? [bed.configuration().replace(/^/gm, "  ").trimEnd()] : []),
    "",
    file === null
      ? "To use it, save that as a file outside of the project (--write FILE does). In another terminal:"
      : "In another terminal:",
    `  deno task codex-mcp login --config ${file ?? "FILE"}`,
    `  deno task codex-mcp call notes whoami --config ${file ?? "FILE"}`,
    "",
    "Requests (Ctrl-C ends):",
  ];
  return lines.join("\n");
}
