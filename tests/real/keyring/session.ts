/**
 * A session of its own with a real Secret Service: a private D-Bus and gnome-keyring, or what a machine has when
 * something of that is missing. Nothing of the machine's own session is touched.
 *
 * @module
 */

import { probeSecretService, type ServiceVerdict } from "../../../adapters/keyring/secret_service.ts";
import { removeFolder } from "../../fixtures/remove_folder.ts";

/**
 * What there is: an unlocked keyring; a locked one that has items; one without a collection; a bus without a service;
 * a bus whose service does not move; a socket that accepts and says nothing; a socket that is not there; an address of
 * a kind that only the native module can use, with nobody there; no bus at all.
 */
export type SessionKind =
  | "unlocked"
  | "locked"
  | "no-collection"
  | "no-service"
  | "stopped-service"
  | "silent-bus"
  | "dead-bus"
  | "odd-bus"
  | "no-bus";

/** A bus that starts nothing by itself. */
function bareBus(socket: string): string {
  return `<!DOCTYPE busconfig PUBLIC "-//freedesktop//DTD D-Bus Bus Configuration 1.0//EN"
 "http://www.freedesktop.org/standards/dbus/1.0/busconfig.dtd">
<busconfig><type>session</type><listen>unix:path=${socket}</listen><auth>EXTERNAL</auth>
<policy context="default"><allow send_destination="*" eavesdrop="true"/><allow eavesdrop="true"/><allow own="*"/>
</policy></busconfig>`;
}

/** A running session. */
export class KeyringSession {
  /** Variables of the programs in it. */
  readonly environment: Readonly<Record<string, string>>;
  readonly #folder: string;
  readonly #children: Deno.ChildProcess[] = [];
  readonly #closers: (() => void)[] = [];
  #service: Deno.ChildProcess | null = null;

  private constructor(folder: string, kind: SessionKind) {
    this.#folder = folder;
    const address = kind === "odd-bus" ? "tcp:host=127.0.0.1,port=1" : `unix:path=${folder}/run/bus`;
    this.environment = {
      HOME: folder,
      XDG_RUNTIME_DIR: `${folder}/run`,
      XDG_DATA_HOME: `${folder}/data`,
      XDG_STATE_HOME: `${folder}/state`,
      PATH: Deno.env.get("PATH") ?? "/usr/bin:/bin",
      ...(kind === "no-bus" ? {} : { DBUS_SESSION_BUS_ADDRESS: address }),
    };
  }

  /** Starts one of this kind. */
  static async start(kind: SessionKind): Promise<KeyringSession> {
    const folder = await Deno.makeTempDir({ prefix: "keyring-" });
    await Deno.mkdir(`${folder}/run`, { mode: 0o700 });
    const session = new KeyringSession(folder, kind);
    try {
      await session.#start(kind);
      return session;
    } catch (error) {
      await session.stop();
      throw error;
    }
  }

  /** A folder that belongs to the session. */
  get folder(): string {
    return this.#folder;
  }

  /** Starts the keyring anew without its password: what is in it stays, and is locked. */
  async lock(): Promise<void> {
    await this.#endService();
    this.#service = this.#spawn("gnome-keyring-daemon", ["--foreground", "--components=secrets"]);
    await this.#until("ready");
  }

  /** Starts the keyring anew with its password. */
  async unlock(): Promise<void> {
    await this.#endService();
    const child = this.#spawn("gnome-keyring-daemon", ["--foreground", "--unlock", "--components=secrets"]);
    this.#service = child;
    const writer = child.stdin.getWriter();
    await writer.write(new TextEncoder().encode("a password"));
    await writer.close();
    await this.#until("ready");
  }

  /** Stops the keyring's process where it is, or lets it go on. */
  freeze(frozen: boolean): void {
    this.#service?.kill(frozen ? "SIGSTOP" : "SIGCONT");
  }

  /** Ends everything and takes the folder away. */
  async stop(): Promise<void> {
    for (const close of this.#closers) close();
    await this.#endService();
    for (const child of this.#children.reverse()) await end(child);
    await removeFolder(this.#folder);
  }

  async #start(kind: SessionKind): Promise<void> {
    const socket = `${this.#folder}/run/bus`;
    if (kind === "no-bus" || kind === "dead-bus" || kind === "odd-bus") return;
    if (kind === "silent-bus") {
      const listener = Deno.listen({ transport: "unix", path: socket });
      this.#closers.push(() => listener.close());
      return;
    }
    // The usual bus starts a service that is asked for. Here the keyring is started by hand, so that it can be ended.
    const usual = kind === "no-collection";
    await Deno.writeTextFile(`${this.#folder}/bus.conf`, bareBus(socket));
    const configuration = usual ? "--session" : `--config-file=${this.#folder}/bus.conf`;
    const address = `--address=unix:path=${socket}`;
    const bus = this.#spawn("dbus-daemon", [configuration, "--nofork", "--nopidfile", address]);
    this.#children.push(bus);
    await this.#until(usual ? "no-collection" : "no-service");
    if (usual || kind === "no-service") return;
    await this.unlock();
    if (kind === "locked") await this.lock();
    if (kind === "stopped-service") this.freeze(true);
  }

  #spawn(program: string, args: readonly string[]): Deno.ChildProcess {
    return new Deno.Command(program, {
      args: [...args],
      clearEnv: true,
      env: { ...this.environment },
      stdin: "piped",
      stdout: "null",
      stderr: "null",
    }).spawn();
  }

  async #until(expected: ServiceVerdict): Promise<void> {
    const limit = AbortSignal.timeout(20_000);
    const place = {
      address: this.environment["DBUS_SESSION_BUS_ADDRESS"],
      runtimeFolder: this.environment["XDG_RUNTIME_DIR"],
    };
    for (;;) {
      const verdict = await probeSecretService(place, limit);
      if (verdict === expected) return;
      if (limit.aborted) throw new Error(`the session says ${verdict}, not ${expected}`);
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
  }

  async #endService(): Promise<void> {
    if (this.#service === null) return;
    await end(this.#service);
    this.#service = null;
  }
}

async function end(child: Deno.ChildProcess): Promise<void> {
  try {
    child.kill("SIGKILL");
  } catch (error) {
    if (!(error instanceof TypeError)) throw error; // It has ended by itself.
  }
  await child.status;
  await child.stdin.close().catch(() => undefined);
}
