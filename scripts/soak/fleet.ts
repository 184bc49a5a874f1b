/**
 * The twenty servers of the soak: what each is, what is wrong with it, and how it stands in a configuration.
 *
 * What their tools do is decided in `tests/fixtures/soak/deeds.ts`.
 *
 * @module
 */

import { fileURLToPath } from "node:url";

/** A server. */
export interface FleetServer {
  /** Its name. */
  readonly name: string;
  /** How it is reached. */
  readonly kind: "stdio" | "http" | "enterprise";
  /** What it is written with. */
  readonly made: "raw" | "v1" | "v2" | "bed";
  /** Its execution environment. */
  readonly environment: "local" | "farm";
  /** The capability under which it accepts the state; empty: it does not. */
  readonly accepts: string;
  /** What is wrong with it from the start, as `SOAK_TRAIT` says it. */
  readonly trait: string;
  /** Which tools are called, and how often. */
  readonly tools: readonly (readonly [tool: string, weight: number])[];
  /** Whether nearly all that is asked of it has to succeed. */
  readonly steady: boolean;
  /** Whether it ever answers. */
  readonly answers: boolean;
  /** Whether reloads change it. */
  readonly varies: boolean;
  /** How often calls go to it. */
  readonly weight: number;
}

const STATE = "codex/sandbox-state";
const STATE_META = "codex/sandbox-state-meta";

const USUAL: FleetServer["tools"] = [["note", 6], ["wait", 3], ["progress", 2], ["big", 1]];
const ASKING: FleetServer["tools"] = [...USUAL, ["ask", 3]];
const CHANGING: FleetServer["tools"] = [...USUAL, ["change", 2]];

const BASE: Omit<FleetServer, "name" | "made"> = {
  kind: "stdio",
  environment: "local",
  accepts: STATE,
  trait: "",
  tools: USUAL,
  steady: false,
  answers: true,
  varies: false,
  weight: 4,
};

/** All of them. */
export const FLEET: readonly FleetServer[] = [
  { ...BASE, name: "raw-steady", made: "raw", tools: CHANGING, steady: true, weight: 8 },
  { ...BASE, name: "raw-farm", made: "raw", environment: "farm", varies: true },
  { ...BASE, name: "raw-varies", made: "raw", accepts: STATE_META, varies: true },
  { ...BASE, name: "raw-late", made: "raw", trait: "late", varies: true },
  { ...BASE, name: "raw-crash", made: "raw", tools: [...USUAL, ["crash", 2]] },
  { ...BASE, name: "raw-hang", made: "raw", tools: [["hang", 3], ["block", 2], ["note", 5]] },
  { ...BASE, name: "raw-shout", made: "raw", tools: [["flood_stdout", 3], ["note", 5]] },
  { ...BASE, name: "raw-moan", made: "raw", tools: [["flood_stderr", 3], ["note", 5]] },
  { ...BASE, name: "raw-silent", made: "raw", trait: "silent", answers: false, weight: 1 },
  { ...BASE, name: "raw-dead", made: "raw", trait: "dead", answers: false, weight: 1 },
  { ...BASE, name: "raw-missing", made: "raw", trait: "missing", answers: false, weight: 1 },
  { ...BASE, name: "v1-steady", made: "v1", accepts: STATE_META, tools: ASKING, steady: true, weight: 8 },
  { ...BASE, name: "v1-varies", made: "v1", accepts: "", tools: CHANGING, varies: true },
  { ...BASE, name: "v2-steady", made: "v2", tools: ASKING, steady: true, weight: 8 },
  { ...BASE, name: "v2-late", made: "v2", trait: "late", tools: [...CHANGING, ["hang", 1]], varies: true },
  { ...BASE, name: "http-modern", kind: "http", made: "v2", tools: [...ASKING, ["change", 1]], varies: true },
  { ...BASE, name: "http-session", kind: "http", made: "v1", tools: [...ASKING, ["change", 1]] },
  { ...BASE, name: "http-broken", kind: "http", made: "v2" },
  ...["notes", "second"].map((name): FleetServer => ({
    ...BASE,
    name,
    kind: "enterprise",
    made: "bed",
    accepts: "",
    tools: [["whoami", 3], ["echo", 3]],
    varies: name === "second",
    weight: 9,
  })),
];

/** How a server stands in a configuration. */
export type Standing =
  | "usual"
  /** With other times: the connection stays. */
  | "other-times"
  /** Without the tool `wait`. */
  | "narrow"
  /** Switched off. */
  | "off"
  /** With a field that cannot be read. */
  | "faulty"
  /** Not at all. */
  | "absent";

/** A server's part of a configuration. */
export interface Placement {
  readonly standing: Standing;
  /** What tells this configuration of the server from others. */
  readonly revision: number;
}

/** Where servers and their records are. */
export interface FleetPlaces {
  /** The folder of the records. */
  readonly ledger: string;
  /** Names this run. */
  readonly run: string;
  /** Origin of the servers over HTTP. */
  readonly origin: string;
  /** What the bed says of the identity provider, and of each enterprise server. */
  readonly bed: { readonly head: string; readonly servers: Readonly<Record<string, string>> };
}

/** Whether a server may be used when it stands so. */
export function isUsable(standing: Standing): boolean {
  return standing === "usual" || standing === "other-times" || standing === "narrow";
}

/** The text of a configuration. */
export function configurationText(
  placements: ReadonlyMap<string, Placement>,
  places: FleetPlaces,
): string {
  const parts = FLEET.flatMap((server) => {
    const placement = placements.get(server.name);
    return placement === undefined || placement.standing === "absent"
      ? []
      : [serverText(server, { placement, places })];
  });
  return [places.bed.head, ...parts].join("\n");
}

function serverText(
  server: FleetServer,
  { placement, places }: { readonly placement: Placement; readonly places: FleetPlaces },
): string {
  const { standing, revision } = placement;
  const fields = [
    ...server.kind === "enterprise"
      ? [places.bed.servers[server.name] ?? ""]
      : [`[mcp_servers.${server.name}]`, ...connectionFields(server, { revision, places })],
    `startup_timeout_sec = ${server.answers ? 20 : 2}`,
    `tool_timeout_sec = ${standing === "other-times" ? 25 : 20}`,
    `environment_id = "${server.environment}"`,
    ...standing === "narrow" ? ['disabled_tools = ["wait"]'] : [],
    ...standing === "off" ? ["enabled = false"] : [],
    ...standing === "faulty" ? ["enabled_tools = 7"] : [],
  ];
  return `${fields.join("\n")}\n`;
}

function connectionFields(
  { name, kind, made, accepts, trait }: FleetServer,
  { revision, places }: { readonly revision: number; readonly places: FleetPlaces },
): string[] {
  if (kind === "http") {
    return [
      `url = "${places.origin}/${name.replace("http-", "")}"`,
      `http_headers = { "x-revision" = "${revision}" }`,
    ];
  }
  const env = {
    SOAK_SERVER: name,
    SOAK_REVISION: String(revision),
    SOAK_ACCEPTS: accepts,
    SOAK_TRAIT: trait,
    SOAK_LEDGER: places.ledger,
    SOAK_RUN: places.run,
    NO_COLOR: "1",
    ...denoFolder(),
  };
  const flags = made === "raw" ? ["--no-config"] : ["--config", pathOf("deno.json")];
  const file = pathOf(`tests/fixtures/soak/${made}_server.ts`);
  const args = ["run", "--quiet", "-A", "--no-lock", "--no-check", ...flags, file];
  return [
    `command = ${JSON.stringify(trait === "missing" ? "/nowhere/at/all" : Deno.execPath())}`,
    `args = ${JSON.stringify(args)}`,
    `env = { ${Object.entries(env).map(([key, value]) => `${key} = ${JSON.stringify(value)}`).join(", ")} }`,
  ];
}

/** Where what was fetched before is. */
export function denoFolder(): { readonly DENO_DIR?: string } {
  const folder = Deno.env.get("DENO_DIR");
  return folder === undefined ? {} : { DENO_DIR: folder };
}

/** Absolute path of a file of the repository. */
export function pathOf(file: string): string {
  return fileURLToPath(new URL(`../../${file}`, import.meta.url));
}
