/**
 * Runs a Worker in the real workerd, with the bindings and the configuration of `examples/worker`, over the enterprise
 * test bed: bundled for browsers, without Node's modules, on a port of loopback that the system chooses.
 *
 * Secrets go to it in files that only this user can read, and that are gone when it is ready.
 *
 * @module
 */

import { fileURLToPath } from "node:url";
import { parse } from "smol-toml";
import type { BedClient, EnterpriseBed } from "../../tests/fixtures/enterprise/mod.ts";
import { runDeno } from "../command.ts";
import { npmPackage } from "../npm_package.ts";
import toolchain from "../toolchain.json" with { type: "json" };

/** A running Worker. */
export interface WorkerProcess extends AsyncDisposable {
  /** Its origin. */
  readonly url: string;
  /** What workerd wrote so far, on both outputs. */
  output(): string;
  /** Ends it. */
  close(): Promise<void>;
}

const ROOT = fileURLToPath(new URL("../..", import.meta.url));
const CONFIG = `${ROOT}examples/worker/config.capnp`;
const START_SECONDS = 30;

/** Starts the Worker whose entry is the file `entry` of the repository. */
export async function startWorker(bed: EnterpriseBed, entry: string): Promise<WorkerProcess> {
  const workerd = await workerdExecutable();
  const folder = await Deno.makeTempDir({ prefix: "codex-mcp-worker-" }); // 0700
  try {
    await Deno.writeTextFile(`${folder}/worker.js`, await bundled(entry));
    await writeBindings(bed, folder);
    await Deno.copyFile(CONFIG, `${folder}/config.capnp`);
    return await serve(workerd, folder);
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
}

const bundles = new Map<string, Promise<string>>();

/** The file `entry` of the repository and all that it needs, as one module for browsers. Bundled once. */
export function bundled(entry: string): Promise<string> {
  const known = bundles.get(entry) ?? bundle(entry);
  bundles.set(entry, known);
  return known;
}

async function bundle(entry: string): Promise<string> {
  const args = ["bundle", "--quiet", "--platform=browser", entry];
  const { code, stdout, output } = await runDeno(args, { directory: ROOT });
  if (code !== 0) throw new Error(`Cannot bundle ${entry}: ${output}`);
  return stdout;
}

/** The executable of the version in `toolchain.json`: it lies in the platform's own package. */
async function workerdExecutable(): Promise<string> {
  const folder = await npmPackage(`workerd@${toolchain.workerd}`);
  const { os, arch } = Deno.build;
  const platform = `${os}-${arch === "x86_64" ? "64" : "arm64"}`;
  return `${folder}/../@cloudflare/workerd-${platform}/bin/workerd${os === "windows" ? ".exe" : ""}`;
}

/** The files that `config.capnp` embeds. A client's credential is a secret or a private key, or it has none. */
async function writeBindings(bed: EnterpriseBed, folder: string): Promise<void> {
  type Client = Partial<Record<"client_secret" | "private_key", unknown>>;
  const values = parse(bed.configuration()) as unknown as {
    readonly mcp_enterprise_managed_auth: { readonly idp: Client };
    readonly mcp_servers: Readonly<Record<string, { readonly oauth: Client }>>;
  };
  const refer = (client: Client, env: string): void => {
    for (const field of ["client_secret", "private_key"] as const) {
      if (field in client) client[field] = { env };
    }
  };
  refer(values.mcp_enterprise_managed_auth.idp, "IDP_CLIENT_SECRET");
  for (const { oauth } of Object.values(values.mcp_servers)) refer(oauth, "NOTES_CLIENT_SECRET");
  const issuer = bed.idp.issuer.replace(/\/$/, "");
  const metadata = await (await fetch(`${issuer}/.well-known/openid-configuration`)).json();
  const credential = ({ secret, privateKey }: BedClient): string =>
    secret ?? (privateKey === null ? "" : JSON.stringify(privateKey));
  await Deno.mkdir(`${folder}/secrets`);
  const files = {
    "configuration.json": JSON.stringify(values),
    "jwks_uri": String(metadata.jwks_uri),
    "secrets/idp_client_secret": credential(bed.idp.client),
    "secrets/notes_client_secret": credential(bed.as.client),
  };
  for (const [name, text] of Object.entries(files)) await Deno.writeTextFile(`${folder}/${name}`, text);
}

async function serve(workerd: string, folder: string): Promise<WorkerProcess> {
  const child = new Deno.Command(workerd, {
    args: ["serve", "--socket-addr=http=127.0.0.1:0", "--control-fd=1", `${folder}/config.capnp`, "trial"],
    cwd: folder,
    clearEnv: true,
    stdin: "null",
    stdout: "piped",
    stderr: "piped",
  }).spawn();
  let output = "";
  const listening = Promise.withResolvers<string>();
  const read = async (stream: ReadableStream<Uint8Array<ArrayBuffer>>): Promise<void> => {
    for await (const text of stream.pipeThrough(new TextDecoderStream())) {
      output += text;
      const port = /"socket":"http","port":(\d+)/.exec(output)?.[1];
      if (port !== undefined) listening.resolve(port);
    }
  };
  const reading = Promise.all([read(child.stdout), read(child.stderr)]);
  const fail = (): void => listening.reject(new Error(`Cannot start workerd: ${output}`));
  const timer = setTimeout(fail, START_SECONDS * 1000);
  const ended = child.status.then(fail);
  const close = async (): Promise<void> => {
    clearTimeout(timer);
    try {
      child.kill("SIGKILL");
    } catch (error) {
      if (!(error instanceof TypeError)) throw error; // it ended by itself
    }
    await Promise.all([ended, reading]);
  };
  try {
    const url = `http://127.0.0.1:${await listening.promise}`;
    clearTimeout(timer);
    return { url, output: () => output, close, [Symbol.asyncDispose]: close };
  } catch (error) {
    await close();
    throw error;
  }
}
